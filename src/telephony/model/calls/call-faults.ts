/** Refusals of calls, recordings and messages. */
import { Fault } from '../../../kernel/fault';

export const noCall = () => new Fault('missing', 'There is no such call on this instance');
export const noRecording = () => new Fault('missing', 'There is no recording of this call');
export const noMessage = () => new Fault('missing', 'There is no such message in this mailbox');
export const unheardMessage = () =>
  new Fault('missing', 'The message cannot be heard here: the PBX does not offer the folder of its mailboxes');
export const noMailboxes = () => new Fault('invalid', 'This PBX does not show its mailboxes');
