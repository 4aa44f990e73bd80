/** The operators' console: signed out, the sign-in page; signed in, its pages. */
import { Button } from '@mantine/core';
import { messageOf } from '../shared/http/message-of';
import { t } from '../shared/texts/texts';
import { loadSession, useSession } from './session/session';
import { SignIn } from './session/sign-in';
import { Shell } from './shell/shell';
import classes from '../shared/sign-in/sign-in.module.css';

export function App() {
  const { session, error } = useSession();
  if (session?.signed_in) return <Shell key={session.name} operator={session} />;
  if (session) return <SignIn session={session} />;
  return (
    <main className={classes.page}>
      <p role="alert">{messageOf(error)}</p>
      <Button onClick={() => void loadSession()}>{t('action.retry')}</Button>
    </main>
  );
}
