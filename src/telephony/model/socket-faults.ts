/** All refusals of the socket. */
import { Fault } from '../../kernel/fault';

export const notInTime = () => new Fault('unauthenticated', 'The socket did not authenticate in time');
export const authenticateFirst = () => new Fault('unauthenticated', 'Emit authenticate with your API key first');
export const tokenRequired = () => new Fault('unauthenticated', 'token: the API key is required');
export const badCredentials = (detail: string) => new Fault('unauthenticated', detail);
export const accessLost = (detail: string) => new Fault('unauthenticated', detail);
export const tooManyAttempts = () =>
  new Fault('too-many', 'Too many failed attempts from your address; try again later');
export const tooManySockets = () => new Fault('too-many', 'This API key has as many sockets here as it may');
export const tooManyEvents = () => new Fault('too-many', 'Too many events; send fewer');
export const noSuchEvent = (name: string) => new Fault('missing', `There is no event named ${name.slice(0, 100)}`);
export const accessInDoubt = () => new Fault('unavailable', 'Access has just changed; connect and authenticate again');
