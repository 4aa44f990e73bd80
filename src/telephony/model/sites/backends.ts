/**
 * The kinds of PBX, each with what the rest of the server must know of it. Its driver is opened in
 * `actors/pbx-instance/drivers.ts`.
 */
import { CREDENTIAL_FIELDS, FIELDS } from '../extensions/extension-fields';

interface Definition {
  /** The `data` fields that it stores. The others stay in the database and are named in `warnings`. */
  readonly fields: readonly string[];
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
  'voicemail_vmpwd',
  'voicemail_email',
  'voicemail_pager',
  'voicemail_options',
];

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
  'mailbox',
  'mwi_subscription',
];

const DEFINITIONS = {
  simulated: { fields: [...Object.keys(FIELDS), ...CREDENTIAL_FIELDS] },
  // It may have `user:password` for its database.
  kamailio: { fields: ['secret'] },
  freepbx: { fields: FREEPBX, credentials: 'client id and client secret of an API application, as id:secret' },
  'asterisk-ari': { fields: ASTERISK, credentials: 'a user of ari.conf that may write, as user:password' },
} satisfies Record<string, Definition>;

export type Backend = keyof typeof DEFINITIONS;
export const BACKENDS = Object.keys(DEFINITIONS) as Backend[];

const valuesOf = <T>(value: (definition: Definition) => T): Readonly<Record<Backend, T>> =>
  Object.fromEntries(BACKENDS.map((backend) => [backend, value(DEFINITIONS[backend])])) as Record<Backend, T>;

export const BACKEND_FIELDS = valuesOf(({ fields }) => fields);
export const BACKEND_CREDENTIALS = valuesOf(({ credentials }) => credentials);
