/**
 * The `data` fields that each kind of PBX stores. The other fields stay in the database and are named in `warnings`.
 */
import type { Backend } from '../sites/site';
import type { Extension, ExtensionData } from './extension';
import { CREDENTIAL_FIELDS, FIELDS, type Field } from './extension-fields';

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

export const BACKEND_FIELDS: Readonly<Record<Backend, readonly string[]>> = {
  simulated: [...Object.keys(FIELDS), ...CREDENTIAL_FIELDS],
  kamailio: ['secret'],
  freepbx: FREEPBX,
  'asterisk-ari': ASTERISK,
};

/** Derived from other fields, which take precedence: `voicemail`, and `name` with the number. */
const SAID_OTHERWISE = new Set(['voicemail_enable', 'callerid']);

const lostBy = (backend: Backend) =>
  Object.entries(FIELDS).filter(([name]) => !BACKEND_FIELDS[backend].includes(name) && !SAID_OTHERWISE.has(name));
const LOST = new Map((Object.keys(BACKEND_FIELDS) as Backend[]).map((backend) => [backend, lostBy(backend)]));

const isSet = (
  { number, data }: Pick<Extension, 'number' | 'data'>,
  [name, { fallback }]: [string, Field],
): boolean => {
  const usual = typeof fallback === 'function' ? fallback(number, String(data['name'])) : fallback;
  return data[name] !== undefined && data[name] !== usual;
};

/** One sentence per field that was set but that the PBX cannot store. */
export const warningsFor = (backend: Backend, extension: Pick<Extension, 'number' | 'data'>): string[] =>
  (LOST.get(backend) ?? [])
    .filter((field) => isSet(extension, field))
    .map(([name]) => `data.${name}: is kept here, but this kind of PBX (${backend}) does not take it`);

/** Calls would not work as requested without these fields, so an order that would lose them is refused. */
const CHANGE_CALLS = ['allow', 'disallow', 'transport'];

/** Says which codec or transport field an order would lose. Repeating the stored value loses nothing. */
export function lossInCalls(
  backend: Backend,
  given: Readonly<Record<string, unknown>> | undefined,
  before?: ExtensionData,
): string | undefined {
  const lost = CHANGE_CALLS.filter((name) => !BACKEND_FIELDS[backend].includes(name)).find(
    (name) => given?.[name] !== undefined && given[name] !== (before?.[name] ?? ''),
  );
  return lost && `data.${lost}: this kind of PBX (${backend}) does not take it`;
}
