/** Shows the sign-in page, or the chat of the signed-in user. Data of a previous user is discarded. */
import { Button } from '@mantine/core';
import { Suspense } from 'react';
import { messageOf } from '../shared/http/message-of';
import { lazyPart } from '../shared/lazy-part';
import { t, useLanguage } from '../shared/texts/texts';
import { mustSetUp } from './data/wire';
import { loadSession, useSession } from './session/session';
import { Chat } from './shell/chat';
import classes from './app.module.css';

const SignIn = lazyPart(() => import('./session/sign-in'), 'SignIn');
const MustSetUp = lazyPart(() => import('./session/must-set-up'), 'MustSetUp');

export function App() {
  const { session, error } = useSession();
  const language = useLanguage((state) => state.name);
  if (session?.signed_in && mustSetUp(session)) {
    return (
      <Suspense fallback={null}>
        <MustSetUp />
      </Suspense>
    );
  }
  if (session?.signed_in) return <Chat key={session.user_id} language={language} />;
  if (session) {
    return (
      <Suspense fallback={null}>
        <SignIn key={language} session={session} />
      </Suspense>
    );
  }
  return (
    <main className={classes.failed}>
      <p role="alert">{messageOf(error)}</p>
      <Button onClick={() => void loadSession()}>{t('action.retry')}</Button>
    </main>
  );
}
