/** The operators' console: the sign-in page, or its pages. */
import { Button } from '@mantine/core';
import { messageOf } from '../shared/http/message-of';
import { t, useLanguage } from '../shared/texts/texts';
import { loadSession, useSession } from './session/session';
import { SignIn } from './session/sign-in';
import { Shell } from './shell/shell';
import classes from '../shared/sign-in/sign-in.module.css';

export function App() {
  const { session, error } = useSession();
  const language = useLanguage((state) => state.name);
  if (session?.signed_in) return <Shell key={`${session.name} ${language}`} operator={session} />;
  if (session) return <SignIn key={language} session={session} />;
  return (
    <main className={classes.page}>
      <p role="alert">{messageOf(error)}</p>
      <Button onClick={() => void loadSession()}>{t('action.retry')}</Button>
    </main>
  );
}
