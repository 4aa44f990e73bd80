/** What is refused to people who sign in with a browser, and to their pages. None has a challenge: see isFromPage. */
import { Fault } from '../../kernel/fault';

export const sessionEnded = () =>
  new Fault('unauthenticated', 'Your session has ended; sign in again', { code: 'SESSION_ENDED' });
export const badCredentials = () =>
  new Fault('unauthenticated', 'Your email or password is incorrect.', { code: 'BAD_CREDENTIALS' });
export const pageTokenRequired = () =>
  new Fault('forbidden', 'A request with a session cookie needs the X-Partyline-Token of the session', {
    code: 'TOKEN_REQUIRED',
  });
export const otherOrigin = () =>
  new Fault('forbidden', 'A session works only for pages of this server', { code: 'OTHER_ORIGIN' });
export const noSuchSession = () => new Fault('invalid', 'There is no such session', { code: 'NO_SUCH_SESSION' });
