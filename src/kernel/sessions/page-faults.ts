/** Refusals for pages in a browser. None carries a challenge: the browser would open its own dialog. */
import { Fault } from '../fault';

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
