/** Faults about a user's sessions, besides those that every page shares. */
import { Fault } from '../../../kernel/fault';

export const noSuchSession = () => new Fault('invalid', 'There is no such session', { code: 'NO_SUCH_SESSION' });
