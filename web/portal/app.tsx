/** Shows the sign-in page or the portal. A mailed link is handled first. */
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { messageOf } from '../shared/http/message-of';
import { t, useLanguage } from '../shared/texts/texts';
import { Enter } from './session/enter';
import { loadSession, useSession } from './session/session';
import { SignIn } from './session/sign-in';
import { Shell } from './shell/shell';
import classes from './shell/shell.module.css';

export function App() {
  const { session, error, link } = useSession();
  const language = useLanguage((state) => state.name);
  const isSignedIn = session?.signed_in === true;
  useEffect(() => {
    // Each page sets its own title.
    if (!isSignedIn) document.title = t('portal.title');
  }, [isSignedIn, language]);
  if (link !== undefined) return <Enter key={language} link={link} />;
  if (session?.signed_in) return <Shell key={`${session.contact_id} ${language}`} />;
  if (session) return <SignIn key={language} session={session} />;
  return (
    <main className={classes.failed}>
      <p role="alert">{messageOf(error)}</p>
      <Button onClick={() => void loadSession()}>{t('action.retry')}</Button>
    </main>
  );
}
