/** All refusals of texting. */
import { Fault } from '../../../kernel/fault';
import type { E164 } from './texting';

export const noConversation = () => new Fault('missing', 'There is no such conversation in this company');
export const noMessage = () => new Fault('missing', 'There is no such message in this conversation');
export const noTextingContact = () => new Fault('missing', 'There is no such texting contact in this company');
export const noOptOut = () => new Fault('missing', 'There is no such opt-out in this company');

export const noSuchFile = (id: string) => new Fault('invalid', `files: there is no file ${id} in this company`);
export const notOurNumber = (number: string) =>
  new Fault('invalid', `from_number: ${number} is no texting number of this company`);
export const whichNumber = () =>
  new Fault('invalid', 'from_number: is required, as the company does not have exactly one texting number');
export const optedOut = (from: E164, numbers: readonly E164[]) =>
  new Fault('invalid', `${numbers.join(', ')} opted out of texts from ${from}`, { code: 'OPTED_OUT' });
export const contactTaken = (number: E164) =>
  new Fault('conflict', `number: there is a texting contact with the number ${number} already`);
export const usedForAnother = (key: string, what: 'message' | 'conversation') =>
  new Fault('invalid', `${key}: was used for another ${what}`);
