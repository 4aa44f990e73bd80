/** The operators' console: the sign-in page, or its pages. */
import { Failed } from '../shared/shell/failed';
import { useLanguage } from '../shared/texts/texts';
import { loadSession, useSession } from './session/session';
import { SignIn } from './session/sign-in';
import { Console } from './shell/console';

export function App() {
  const { session, error } = useSession();
  const language = useLanguage((state) => state.name);
  if (session?.signed_in) return <Console key={`${session.name} ${language}`} operator={session} />;
  if (session) return <SignIn key={language} session={session} />;
  return <Failed error={error} retry={loadSession} />;
}
