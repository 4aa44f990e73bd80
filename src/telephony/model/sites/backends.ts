/**
 * The kinds of PBX, each with what the rest of the server must know of it. Its driver is opened in
 * `actors/pbx-instance/drivers.ts`.
 */
import { ARRANGEMENT_KINDS, type ArrangementKind } from '../arrangements/arrangement';
import { callerOf, destinationOf, membersOf, numberOf, optionsOf } from '../extensions/call-forms';
import { CREDENTIAL_FIELDS, FIELDS, type Value } from '../extensions/extension-fields';

/** A field of which a PBX takes only part. */
export interface Part {
  /** What it takes of it, as a sentence about the PBX goes on. */
  readonly words: string;
  /** Whether this value has nothing but what it takes. Without it, no value has. */
  isWhole?(value: Value): boolean;
}

/** Whether calls go through it, or it only knows who may register. */
export const ROLES = ['pbx', 'registrar'] as const;
export type Role = (typeof ROLES)[number];

interface Definition {
  /** A PBX if nothing is said. */
  readonly role?: Role;
  /** The `data` fields that it carries. The others stay in the database and are named in `warnings`. */
  readonly fields: readonly string[];
  /** Those of `fields` that it carries in part. */
  readonly parts?: Readonly<Record<string, Part>>;
  /** Those of `fields` whose values must be of a form; an order that sets another one is refused. */
  readonly forms?: Readonly<Record<string, Part>>;
  /** Calls would not work as ordered without these fields, so an order that would lose them is refused. */
  readonly refuses?: readonly string[];
  /** The names that it can take. */
  readonly names?: { readonly most: number; readonly unit: 'bytes' | 'characters'; readonly without?: string };
  /** What it has beside extensions. */
  readonly arrangements?: readonly ArrangementKind[];
  /** A click can begin a call. */
  readonly clickToCall?: true;
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
  ...['enabled', 'grplist', 'strategy', 'grptime', 'pre_ring', 'grppre', 'needsconf', 'postdest'].map(followMe),
  ...['changecid', 'fixedcid', 'dring', 'ringing'].map(followMe),
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

/** What the dial plan of Partyline carries besides: model/extensions/call-settings.ts compiles it. */
const CALLS = [
  'ringtimer',
  'callwaiting_enable',
  'concurrency_limit',
  'intercom',
  'answermode',
  'outboundcid',
  'emergency_cid',
  'cid_masquerade',
  ...['noanswer', 'busy', 'chanunavail'].flatMap((way) => [`${way}_cid`, `${way}_dest`]),
  ...['enabled', 'grplist', 'strategy', 'grptime', 'pre_ring', 'grppre', 'needsconf', 'postdest'].map(followMe),
  ...['changecid', 'fixedcid'].map(followMe),
  ...WAYS.filter((way) => way !== 'ondemand').map((way) => `recording_${way}`),
  'voicemail_vmpwd',
  'voicemail_email',
  'voicemail_pager',
  'voicemail_options',
];

function followMe(name: string): string {
  return `findmefollow_${name}`;
}

const formed = (words: string, formOf: (value: string) => unknown): Part => ({
  words,
  isWhole: (value) => formOf(String(value)) !== undefined,
});

const DESTINATION = formed(
  'takes extensions, mailboxes, ring groups, hanging up and busy as destinations: from-did-direct,101,1, ext-local,vmu101,1, ext-group,600,1, app-blackhole,hangup,1, app-blackhole,busy,1',
  destinationOf,
);
const CALLER = formed('takes a number, or "Name" <number>', callerOf);
const NUMBER = formed('takes a number', numberOf);

const CALL_FORMS: Readonly<Record<string, Part>> = {
  ...Object.fromEntries(['noanswer_dest', 'busy_dest', 'chanunavail_dest'].map((name) => [name, DESTINATION])),
  findmefollow_postdest: DESTINATION,
  findmefollow_grplist: formed('takes numbers with hyphens in between', membersOf),
  findmefollow_fixedcid: NUMBER,
  cid_masquerade: NUMBER,
  outboundcid: CALLER,
  emergency_cid: CALLER,
  voicemail_options: formed('takes only options of a mailbox that lead nowhere else', optionsOf),
};

const STRATEGIES = ['ringallv2', 'ringall', 'hunt'];

const CALL_PARTS: Readonly<Record<string, Part>> = {
  findmefollow_strategy: {
    words: `takes only ${STRATEGIES.join(', ')}; the others ring as these`,
    isWhole: (value) => STRATEGIES.includes(String(value)),
  },
  findmefollow_changecid: {
    words: 'takes only default and fixed',
    isWhole: (value) => ['default', 'fixed'].includes(String(value)),
  },
};

const CODECS_AND_TRANSPORT = ['allow', 'disallow', 'transport'];

/** Asterisk cuts longer names, even inside a letter, and then cannot show them. */
export const ASTERISK_NAME_BYTES = 79;

const DEFINITIONS = {
  simulated: {
    fields: [...Object.keys(FIELDS), ...CREDENTIAL_FIELDS],
    arrangements: ARRANGEMENT_KINDS,
    clickToCall: true,
  },
  // It may have `user:password` for its database.
  kamailio: { role: 'registrar', fields: ['secret'], refuses: CODECS_AND_TRANSPORT },
  freepbx: {
    fields: FREEPBX,
    parts: { voicemail_options: FREEPBX_OPTIONS },
    refuses: CODECS_AND_TRANSPORT,
    // A longer name fails, and a semicolon begins a comment in the configuration that FreePBX writes.
    names: { most: 50, unit: 'characters', without: ';' },
    // Its forwards are in AstDB, which the API does not show.
    arrangements: ['ring-group', 'number'],
    credentials: 'client id and client secret of an API application, as id:secret',
  },
  'asterisk-ari': {
    fields: ASTERISK,
    parts: { voicemail: LAMP, voicemail_enable: LAMP },
    names: { most: ASTERISK_NAME_BYTES, unit: 'bytes' },
    credentials: 'a user of ari.conf that may write, as user:password',
  },
  'asterisk-ari+ami': {
    fields: [...ASTERISK, ...CALLS],
    parts: CALL_PARTS,
    forms: CALL_FORMS,
    names: { most: ASTERISK_NAME_BYTES, unit: 'bytes' },
    arrangements: ARRANGEMENT_KINDS,
    clickToCall: true,
  },
} satisfies Record<string, Definition>;

/** What takes which fields: a backend, or an Asterisk whose AMI may be used as well. */
export type Kind = keyof typeof DEFINITIONS;
const WITH_AMI = 'asterisk-ari+ami';
export type Backend = Exclude<Kind, typeof WITH_AMI>;
export const KINDS = Object.keys(DEFINITIONS) as Kind[];
export const BACKENDS = KINDS.filter((kind): kind is Backend => kind !== WITH_AMI);

/** `ami` among the details is the encrypted `user:secret` of manager.conf. */
export const kindOf = (instance: {
  readonly backend: Backend;
  readonly details: Readonly<Record<string, string>>;
}): Kind =>
  instance.backend === 'asterisk-ari' && instance.details['ami'] !== undefined ? WITH_AMI : instance.backend;

const valuesOf = <T>(value: (definition: Definition) => T): Readonly<Record<Kind, T>> =>
  Object.fromEntries(KINDS.map((kind) => [kind, value(DEFINITIONS[kind])])) as Record<Kind, T>;

export const BACKEND_FIELDS = valuesOf(({ fields }) => fields);
export const BACKEND_ROLES = valuesOf(({ role = 'pbx' }) => role);
export const BACKEND_PARTS = valuesOf(({ parts = {} }) => parts);
export const BACKEND_FORMS = valuesOf(({ forms = {} }) => forms);
export const BACKEND_REFUSES = valuesOf(({ refuses = [] }) => refuses);
export const BACKEND_ARRANGEMENTS = valuesOf(({ arrangements = [] }) => arrangements);
export const BACKEND_CLICK_TO_CALL = valuesOf(({ clickToCall = false }) => clickToCall);
export const BACKEND_NAMES = valuesOf(({ names }) => names);
export const BACKEND_CREDENTIALS = valuesOf(({ credentials }) => credentials);

/** Those that tell of calls. */
export const LISTENED_BACKENDS: readonly Backend[] = ['asterisk-ari'];
