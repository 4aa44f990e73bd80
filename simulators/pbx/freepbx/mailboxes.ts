// Voicemail of a simulated FreePBX: created with an extension, or for one that has none.
import type { JsonObject } from '../store';
import { NeverRecorded } from './never-recorded';

const OPTIONS = ['attach', 'saycid', 'envelope', 'delete'];
const PLAIN = Object.fromEntries(OPTIONS.map((name) => [`voicemail_${name}`, 'no']));

/** Without `vmEnable`, addExtension creates no mailbox and updateExtension keeps the existing one. */
export function madeMailbox(input: JsonObject, before: JsonObject): JsonObject {
  const isWanted = input['vmEnable'] ?? before['voicemail'] === 'default';
  if (isWanted !== true) return { voicemail: 'novm' };
  const pin = input['vmPassword'] ?? before['voicemail_vmpwd'] ?? '';
  if (pin === '') throw new NeverRecorded('a mailbox without vmPassword');
  const email = input['email'] ?? before['email'];
  return { ...PLAIN, voicemail: 'default', voicemail_vmpwd: pin, voicemail_email: email, voicemail_pager: '' };
}

/** The mailbox that enableVoiceMail creates. */
export const changedMailbox = (input: JsonObject): JsonObject => ({
  voicemail: 'default',
  voicemail_vmpwd: input['password'],
  voicemail_name: input['name'] ?? '',
  voicemail_email: input['email'] ?? '',
  voicemail_pager: input['pager'] ?? '',
  ...Object.fromEntries(OPTIONS.map((name) => [`voicemail_${name}`, input[name] === true ? 'yes' : 'no'])),
});

export const shownMailbox = (held: JsonObject): JsonObject => ({
  context: 'default',
  password: held['voicemail_vmpwd'],
  name: held['voicemail_name'] ?? held['name'],
  email: held['voicemail_email'] ?? '',
  pager: held['voicemail_pager'] ?? '',
  ...Object.fromEntries(OPTIONS.map((name) => [name, held[`voicemail_${name}`] ?? 'no'])),
});
