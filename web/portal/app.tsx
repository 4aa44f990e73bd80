/** Shows the sign-in page or the portal. A mailed link is handled first. */
import { useEffect } from 'react';
import { forgetPush } from '../shared/push/push-device';
import { Failed } from '../shared/shell/failed';
import { t, useLanguage } from '../shared/texts/texts';
import { Enter } from './session/enter';
import { loadSession, useLink, useSession } from './session/session';
import { SignIn } from './session/sign-in';
import { Portal } from './shell/portal';

export function App() {
  const { session, error } = useSession();
  const { link } = useLink();
  const language = useLanguage((state) => state.name);
  const isSignedIn = session?.signed_in === true;
  useEffect(() => {
    // Each page sets its own title.
    if (!isSignedIn) document.title = t('portal.title');
  }, [isSignedIn, language]);
  const isSignedOut = session?.signed_in === false;
  useEffect(() => {
    if (isSignedOut) forgetPush('/portal').catch(() => undefined);
  }, [isSignedOut]);
  if (link !== undefined) return <Enter key={language} link={link} />;
  if (session?.signed_in) return <Portal key={`${session.contact_id} ${language}`} />;
  if (session) return <SignIn key={language} session={session} />;
  return <Failed error={error} retry={loadSession} />;
}
