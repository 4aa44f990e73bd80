/**
 * The kinds of PBX, each with what the rest of the server must know of it. Its driver is opened in
 * `actors/pbx-instance/drivers.ts`.
 */
import { CREDENTIAL_FIELDS, FIELDS, type Value } from '../extensions/extension-fields';

/** A field of which a PBX takes only part. */
export interface Part {
  /** What it takes of it, as a sentence about the PBX goes on. */
  readonly words: string;
  /** Whether this value has nothing but what it takes. Without it, no value has. */
  isWhole?(value: Value): boolean;
}

interface Definition {
  /** The `data` fields that it carries. The others stay in the database and are named in `warnings`. */
  readonly fields: readonly string[];
  /** Those of `fields` that it carries in part. */
  readonly parts?: Readonly<Record<string, Part>>;
  /** Calls would not work as ordered without these fields, so an order that would lose them is refused. */
  readonly refuses?: readonly string[];
  /** The names that it can take. */
  readonly names?: { readonly most: number; readonly unit: 'bytes' | 'characters'; readonly without?: string };
  /** The credentials that it cannot do without. */
  readonly credentials?: string;
}

const WAYS = ['in_external', 'in_internal', 'out_external', 'out_internal', 'ondemand', 'priority'];

const FREEPBX = [
  'name',
  'tech',
  'secret',
  'outboundcid',
  'emergency_cid',
  'max_contacts',
  'ringtimer',
  'callwaiting_enable',
  'sipname',
  ...WAYS.map((way) => `recording_${way}`),
  ...['noanswer', 'busy', 'chanunavail'].flatMap((way) => [`${way}_cid`, `${way}_dest`]),
  'voicemail',
  'voicemail_enable',
  'voicemail_vmpwd',
  'voicemail_email',
  'voicemail_pager',
  'voicemail_options',
];

/** The options of a mailbox that FreePBX's API takes. */
export const MAILBOX_OPTIONS = ['attach', 'saycid', 'envelope', 'delete'] as const;

const FREEPBX_OPTIONS: Part = {
  words: `takes only ${MAILBOX_OPTIONS.slice(0, -1).join(', ')} and ${MAILBOX_OPTIONS.at(-1)!}`,
  isWhole: (value) =>
    String(value)
      .split('|')
      .every((option) => option === '' || MAILBOX_OPTIONS.some((name) => option.startsWith(`${name}=`))),
};

const ASTERISK = [
  'name',
  'secret',
  'max_contacts',
  'maximum_expiration',
  'qualifyfreq',
  'context',
  'rtp_symmetric',
  'force_rport',
  'rewrite_contact',
  'icesupport',
  'avpf',
  'media_encryption',
  'media_encryption_optimistic',
  'media_use_received_transport',
  'rtcp_mux',
  'bundle',
  'timers',
  'trustrpid',
  'sendrpid',
  'dtmfmode',
  'device_state_busy_at',
  'accountcode',
  'mohclass',
  'namedcallgroup',
  'namedpickupgroup',
  'transport',
  'allow',
  'disallow',
  'voicemail',
  'voicemail_enable',
  'mailbox',
  'mwi_subscription',
];

const LAMP: Part = { words: 'only shows on the phone whether a mailbox has messages, and makes no mailbox' };

const CODECS_AND_TRANSPORT = ['allow', 'disallow', 'transport'];

/** Asterisk cuts longer names, even inside a letter, and then cannot show them. */
export const ASTERISK_NAME_BYTES = 79;

const DEFINITIONS = {
  simulated: { fields: [...Object.keys(FIELDS), ...CREDENTIAL_FIELDS] },
  // It may have `user:password` for its database.
  kamailio: { fields: ['secret'], refuses: CODECS_AND_TRANSPORT },
  freepbx: {
    fields: FREEPBX,
    parts: { voicemail_options: FREEPBX_OPTIONS },
    refuses: CODECS_AND_TRANSPORT,
    // A longer name fails, and a semicolon begins a comment in the configuration that FreePBX writes.
    names: { most: 50, unit: 'characters', without: ';' },
    credentials: 'client id and client secret of an API application, as id:secret',
  },
  'asterisk-ari': {
    fields: ASTERISK,
    parts: { voicemail: LAMP, voicemail_enable: LAMP },
    names: { most: ASTERISK_NAME_BYTES, unit: 'bytes' },
    credentials: 'a user of ari.conf that may write, as user:password',
  },
} satisfies Record<string, Definition>;

export type Backend = keyof typeof DEFINITIONS;
export const BACKENDS = Object.keys(DEFINITIONS) as Backend[];

const valuesOf = <T>(value: (definition: Definition) => T): Readonly<Record<Backend, T>> =>
  Object.fromEntries(BACKENDS.map((backend) => [backend, value(DEFINITIONS[backend])])) as Record<Backend, T>;

export const BACKEND_FIELDS = valuesOf(({ fields }) => fields);
export const BACKEND_PARTS = valuesOf(({ parts = {} }) => parts);
export const BACKEND_REFUSES = valuesOf(({ refuses = [] }) => refuses);
export const BACKEND_NAMES = valuesOf(({ names }) => names);
export const BACKEND_CREDENTIALS = valuesOf(({ credentials }) => credentials);
