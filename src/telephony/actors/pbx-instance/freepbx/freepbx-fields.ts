/** Maps an extension's `data` fields to FreePBX's GraphQL inputs, and to what FreePBX shows when read back. */
import { MAILBOX_OPTIONS } from '../../../model/sites/backends';
import { REMADE_BY_FREEPBX } from '../../../model/extensions/voicemail-loss';
import type { CallContext, Held } from '../driver';
import { FOLLOW_ME_FIELDS, shownFollowMe } from './freepbx-follow-me';

type Value = string | number;

/** A setting of FreePBX's "core user", written by updateCoreUser. */
interface UserSetting {
  /** Name in `data`. */
  readonly field: string;
  /** Names in updateCoreUser and in `user { … }`. */
  readonly input: string;
  readonly shown: string;
  /** The default that FreePBX applies when it shows nothing. */
  readonly usual: Value;
  readonly wanted: (extension: Held) => Value;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const setting = (field: string, more: Partial<UserSetting> = {}): UserSetting => {
  const usual = more.usual ?? '';
  const wanted = (extension: Held): Value => {
    const value = extension[field];
    if (typeof usual === 'number') return value === undefined || value === '' ? usual : Number(value);
    return text(value) || usual;
  };
  return { field, input: field, shown: field, usual, wanted, ...more };
};

const WAYS = ['noanswer', 'busy', 'chanunavail'];

const USER_SETTINGS: readonly UserSetting[] = [
  setting('ringtimer', { usual: 0 }),
  setting('callwaiting_enable', {
    input: 'callwaiting',
    shown: 'callwaiting',
    usual: 'enabled',
    wanted: (extension) => (/^enabled$/i.test(text(extension['callwaiting_enable'])) ? 'enabled' : 'disabled'),
  }),
  // FreePBX strips all whitespace from it.
  setting('sipname', { wanted: (extension) => text(extension['sipname']).replaceAll(/\s/g, '') }),
  ...['in_external', 'in_internal', 'out_external', 'out_internal'].map((way) =>
    setting(`recording_${way}`, { usual: 'dontcare' }),
  ),
  setting('recording_ondemand', { usual: 'disabled' }),
  setting('recording_priority', { usual: 10 }),
  ...WAYS.flatMap((way) => [
    setting(`${way}_cid`, { shown: `${way}Cid` }),
    setting(`${way}_dest`, { shown: `${way}Destination` }),
  ]),
];

/** The fields to query in `user { … }`. */
export const USER_FIELDS = ['name outboundCid extPassword voicemail', ...USER_SETTINGS.map(({ shown }) => shown)].join(
  ' ',
);

export type ShownUser = Readonly<Record<string, string | number | null>>;
export type ShownMailbox = Readonly<Record<string, string | null>>;

const hasMailbox = (extension: Held): boolean => text(extension['voicemail']) !== 'novm';

/** Parses `attach=no|saycid=yes|…`, as FreePBX's bulk handler writes it. Orders are warned of options that GraphQL lacks. */
function optionsOf(extension: Held): Record<string, boolean> {
  const given = text(extension['voicemail_options']).split('|');
  return Object.fromEntries(MAILBOX_OPTIONS.map((name) => [name, given.includes(`${name}=yes`)]));
}

/** Always sends every field of addExtension and updateExtension, because an update resets fields that it omits. */
export const extensionInput = (extension: Held, { key }: CallContext) => ({
  extensionId: String(extension.number),
  name: text(extension['name']),
  // An update with a missing or empty email does nothing and still answers 200. A blank is accepted.
  email: text(extension['voicemail_email']) || ' ',
  tech: text(extension['tech']) || 'pjsip',
  outboundCid: text(extension['outboundcid']),
  emergencyCid: text(extension['emergency_cid']),
  maxContacts: text(extension['max_contacts']) || '1',
  vmEnable: hasMailbox(extension),
  vmPassword: text(extension['voicemail_vmpwd']),
  // If omitted, FreePBX would also create a user in its user manager.
  umEnable: false,
  clientMutationId: key,
});

/** updateCoreUser deletes and recreates the user, so every field is sent. */
export const userInput = (extension: Held) => ({
  extension: String(extension.number),
  name: text(extension['name']),
  outboundcid: text(extension['outboundcid']),
  ...Object.fromEntries(USER_SETTINGS.map(({ input, wanted }) => [input, wanted(extension)])),
});

export const mailboxInput = (extension: Held) => ({
  extensionId: String(extension.number),
  password: text(extension['voicemail_vmpwd']),
  name: text(extension['name']),
  email: text(extension['voicemail_email']),
  pager: text(extension['voicemail_pager']),
  ...optionsOf(extension),
});

/** FreePBX separates addresses with bars, and shows the blank that stands for no address. */
const plainEmails = (value: string | null | undefined): string =>
  (value ?? '')
    .split(/[,|]/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .join(',');

const shownAs = (user: ShownUser, { shown, usual }: UserSetting): Value => {
  const value = user[shown] ?? '';
  return value === '' ? usual : value;
};

export const heldUser = (user: ShownUser): Readonly<Record<string, unknown>> => ({
  name: user['name'],
  outboundcid: user['outboundCid'] ?? '',
  voicemail: user['voicemail'],
  secret: user['extPassword'],
  ...Object.fromEntries(USER_SETTINGS.map((each) => [each.field, shownAs(user, each)])),
});

export const heldMailbox = (mailbox: ShownMailbox): Readonly<Record<string, unknown>> => ({
  voicemail_vmpwd: mailbox['password'],
  voicemail_email: plainEmails(mailbox['email']),
  voicemail_pager: mailbox['pager'] ?? '',
  ...Object.fromEntries(MAILBOX_OPTIONS.map((name) => [name, mailbox[name] === 'yes'])),
});

/** What `get` shows of the extension. No query shows `maxContacts`. */
export const shownOf = (extension: Held): Held => ({
  number: extension.number,
  tech: text(extension['tech']) || 'pjsip',
  // FreePBX replaces angle brackets, which would end a caller id.
  name: text(extension['name']).replaceAll('<', '(').replaceAll('>', ')'),
  outboundcid: text(extension['outboundcid']),
  emergency_cid: text(extension['emergency_cid']),
  voicemail: hasMailbox(extension) ? 'default' : 'novm',
  secret: extension['secret'],
  ...Object.fromEntries(USER_SETTINGS.map(({ field, wanted }) => [field, wanted(extension)])),
  ...(hasMailbox(extension)
    ? {
        voicemail_vmpwd: text(extension['voicemail_vmpwd']),
        voicemail_email: plainEmails(text(extension['voicemail_email'])),
        voicemail_pager: text(extension['voicemail_pager']),
        ...optionsOf(extension),
      }
    : {}),
  ...shownFollowMe(extension),
});

const MAILBOX_FIELDS = new Set<string>([
  'voicemail',
  'voicemail_vmpwd',
  'voicemail_email',
  'voicemail_pager',
  ...MAILBOX_OPTIONS,
]);

const isOfFollowMe = (name: string): boolean => FOLLOW_ME_FIELDS.includes(name);

/** What must be called so that FreePBX holds this extension. */
export interface Steps {
  /** The fields that only updateExtension changes, with which the messages of the mailbox are lost. */
  readonly remade: readonly string[];
  /** For enableVoiceMail and updateCoreUser, which leave the messages. */
  readonly isMailboxWrong: boolean;
  readonly isUserWrong: boolean;
  /** For updateFollowMe, which comes last: updateExtension deletes what it writes. */
  readonly isFollowMeWrong: boolean;
}

/** `before` is what was pushed last, if it is known. */
export function stepsTo(extension: Held, held: Held, before?: Held): Steps {
  const wrong = Object.entries(shownOf(extension))
    .filter(([name, value]) => held.isPartial || (held[name] !== value && !(held.isSummary && !(name in held))))
    .map(([name]) => name);
  // No query shows this one.
  const hidden = before && before['max_contacts'] !== extension['max_contacts'] ? ['max_contacts'] : [];
  const isOff = !hasMailbox(extension);
  const isRemade = (name: string): boolean =>
    (REMADE_BY_FREEPBX as readonly string[]).includes(name) || (isOff && name === 'voicemail');
  const isOfMailbox = (name: string): boolean => !isOff && (MAILBOX_FIELDS.has(name) || name === 'name');
  return {
    remade: [...wrong.filter(isRemade), ...hidden],
    isMailboxWrong: wrong.some(isOfMailbox),
    isUserWrong: wrong.some((name) => !isRemade(name) && !MAILBOX_FIELDS.has(name) && !isOfFollowMe(name)),
    isFollowMeWrong: wrong.some(isOfFollowMe),
  };
}
