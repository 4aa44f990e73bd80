/** Shows the sign-in page, or the chat of the signed-in user. Data of a previous user is discarded. */
import { Suspense } from 'react';
import { lazyPart } from '../shared/lazy-part';
import { Failed } from '../shared/shell/failed';
import { useLanguage } from '../shared/texts/texts';
import { mustSetUp } from './data/wire';
import { loadSession, useSession } from './session/session';
import { Chat } from './shell/chat';

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
  return <Failed error={error} retry={loadSession} />;
}
