/** What is refused to people about their sessions, beside what is refused to every page. */
import { Fault } from '../../../kernel/fault';

export const noSuchSession = () => new Fault('invalid', 'There is no such session', { code: 'NO_SUCH_SESSION' });
