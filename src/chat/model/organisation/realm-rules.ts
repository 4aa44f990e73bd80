/** Which values an organisation's settings may have. */
import { badArgument, badRequest, plain } from '../faults';
import { REALM_DEFAULTS, type RealmSetting, type RealmSettings } from './realm-settings';

export interface RealmChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly settings: Partial<RealmSettings>;
}

const NAME_LENGTH = 40;
const DESCRIPTION_LENGTH = 1000;
const TEXT_LENGTH = 200;

const CHOICES: Partial<Record<RealmSetting, readonly number[]>> = {
  bot_creation_policy: [1, 2, 3],
  create_stream_policy: [1, 2, 3],
  invite_to_stream_policy: [1, 2, 3],
  user_group_edit_policy: [1, 2],
  email_address_visibility: [1, 2, 3, 4],
  digest_weekday: [0, 1, 2, 3, 4, 5, 6],
  video_chat_provider: [0, 1, 2, 3],
};

const STREAMS: ReadonlySet<RealmSetting> = new Set(['notifications_stream_id', 'signup_notifications_stream_id']);

/** Throws Zulip's message for the first invalid value. */
export function checkRealmChanges({ name, description, settings }: RealmChanges): void {
  if (name?.trim() === '') throw plain('Organization name must not be empty.');
  if (tooLong(name, NAME_LENGTH)) throw plain('Organization name is too long.');
  if (tooLong(description, DESCRIPTION_LENGTH)) throw plain('Organization description is too long.');
  for (const [key, value] of Object.entries(settings)) checkSetting(key as RealmSetting, value);
}

const tooLong = (text: string | undefined, most: number): boolean => Array.from(text ?? '').length > most;

function checkSetting(name: RealmSetting, value: boolean | number | string | null): void {
  if (name === 'message_retention_days') {
    if (value !== null && (value as number) < 1) throw badArgument(name, String(value));
    return;
  }
  if (typeof value !== typeof REALM_DEFAULTS[name]) throw badRequest(`${name} is not ${articled(name)}`);
  if (typeof value === 'number') checkNumber(name, value);
  if (typeof value === 'string') checkText(name, value);
}

const articled = (name: RealmSetting): string =>
  ({ boolean: 'a boolean', number: 'an integer' })[typeof REALM_DEFAULTS[name] as string] ?? 'a string';

/** The largest value that clients' columns can hold. */
const MAX = 2 ** 31 - 1;

function checkNumber(name: RealmSetting, value: number): void {
  const choices = CHOICES[name];
  if (choices && !choices.includes(value)) throw badRequest(`Invalid ${name}`);
  const least = STREAMS.has(name) ? -1 : 0;
  if (!Number.isInteger(value) || value < least || value > MAX) throw badArgument(name, String(value));
}

function checkText(name: RealmSetting, value: string): void {
  if (name === 'default_language' && !/^[a-z]{2,3}([-_][A-Za-z]{2,8})?$/.test(value))
    throw badRequest(`Invalid language '${value}'`);
  if (tooLong(value, TEXT_LENGTH)) throw badRequest(`${name} is too long (limit: ${TEXT_LENGTH} characters)`);
}
