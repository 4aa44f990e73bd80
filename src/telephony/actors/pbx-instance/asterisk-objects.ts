/** Maps an extension to Asterisk's PJSIP objects, and to the form in which Asterisk shows them. */
import { ASTERISK_NAME_BYTES } from '../../model/sites/backends';
import { allowOf, shownCodecs } from './asterisk-codecs';
import type { Held } from './driver';

export const OBJECT_TYPES = ['auth', 'aor', 'endpoint'] as const;
export type ObjectType = (typeof OBJECT_TYPES)[number];
export type Attributes = Readonly<Record<string, string>>;

/** What extensions of an instance have in common. */
export interface Naming {
  /** Of those that name none. */
  readonly codecs: string;
  /** Follows the number in the names of objects. */
  readonly suffix?: string;
}

/** Prefix of the operation's id. Tags without it were not written by this server. */
const OURS = 'partyline:';

const text = (extension: Held, name: string): string => {
  const value = extension[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

const authOf = (extension: Held): Attributes => ({
  auth_type: 'userpass',
  username: String(extension.number),
  password: text(extension, 'secret'),
});

/** The mailbox for the message-waiting lamp: for phones that subscribe, for phones that do not, or for both. */
function mailboxesOf(extension: Held): { subscribed: string; unasked: string } {
  const mailbox = text(extension, 'voicemail') === 'novm' ? '' : text(extension, 'mailbox');
  const way = text(extension, 'mwi_subscription');
  return { subscribed: way === 'unsolicited' ? '' : mailbox, unasked: way === 'solicited' ? '' : mailbox };
}

const aorOf = (extension: Held): Attributes => ({
  mailboxes: mailboxesOf(extension).subscribed,
  max_contacts: text(extension, 'max_contacts') || '1',
  maximum_expiration: text(extension, 'maximum_expiration') || '7200',
  qualify_frequency: text(extension, 'qualifyfreq') || '60',
  // A phone that returns from another address replaces its old registration.
  remove_existing: 'yes',
});

/** Fields that map one to one: Asterisk's name to ours. */
const SAME: Readonly<Record<string, string>> = {
  context: 'context',
  rtp_symmetric: 'rtp_symmetric',
  force_rport: 'force_rport',
  rewrite_contact: 'rewrite_contact',
  ice_support: 'icesupport',
  use_avpf: 'avpf',
  media_encryption: 'media_encryption',
  media_encryption_optimistic: 'media_encryption_optimistic',
  media_use_received_transport: 'media_use_received_transport',
  rtcp_mux: 'rtcp_mux',
  bundle: 'bundle',
  timers: 'timers',
  trust_id_inbound: 'trustrpid',
  device_state_busy_at: 'device_state_busy_at',
  accountcode: 'accountcode',
  moh_suggest: 'mohclass',
  named_call_group: 'namedcallgroup',
  named_pickup_group: 'namedpickupgroup',
  transport: 'transport',
};

/** Maps chan_sip's DTMF modes to PJSIP's. */
const DTMF: Readonly<Record<string, string>> = { rfc2833: 'rfc4733', shortinfo: 'info' };

function endpointOf(extension: Held, { codecs: usualCodecs, suffix = '' }: Naming): Attributes {
  const number = String(extension.number);
  const same = Object.entries(SAME).map(([theirs, ours]) => [theirs, text(extension, ours)] as const);
  const dtmf = text(extension, 'dtmfmode');
  const sendrpid = text(extension, 'sendrpid');
  return {
    ...Object.fromEntries(same),
    ...bareEndpoint(extension.number, {
      codecs: allowOf(text(extension, 'allow'), text(extension, 'disallow'), usualCodecs),
      suffix,
    }),
    callerid: `"${callerName(text(extension, 'name'))}" <${number}>`,
    dtmf_mode: DTMF[dtmf] ?? (dtmf || 'rfc4733'),
    send_pai: yes(sendrpid === 'pai' || sendrpid === 'both'),
    send_rpid: yes(sendrpid === 'yes' || sendrpid === 'both'),
    mailboxes: mailboxesOf(extension).unasked,
    mwi_subscribe_replaces_unsolicited: yes(
      !['solicited', 'unsolicited'].includes(text(extension, 'mwi_subscription')),
    ),
    ...dtlsOf(text(extension, 'media_encryption') === 'dtls'),
    // It reads back unchanged, even after a restart, and does not affect calls. `set_var` fails on both counts.
    callerid_tag: `${OURS}${extension.operation ?? ''}`,
  };
}

/**
 * Replaces quotes and backslashes, because Asterisk does not always read escaped names back unchanged. Names that were
 * stored before orders were refused for their length are cut.
 */
function callerName(name: string): string {
  let written = '';
  for (const letter of name.replaceAll('"', "'").replaceAll('\\', '/')) {
    if (Buffer.byteLength(written + letter) > ASTERISK_NAME_BYTES) return written;
    written += letter;
  }
  return written;
}

/** WebRTC needs a DTLS certificate for every call. It may be self-signed: its fingerprint is in the signalling. */
const dtlsOf = (isWanted: boolean): Attributes => ({
  dtls_auto_generate_cert: yes(isWanted),
  dtls_verify: isWanted ? 'fingerprint' : 'no',
  dtls_setup: isWanted ? 'actpass' : 'active',
});

const yes = (is: boolean): string => (is ? 'yes' : 'no');

/** The minimal endpoint that Asterisk can read back and that still requires the secret. */
export const bareEndpoint = (number: number, { codecs, suffix = '' }: Naming): Attributes => ({
  aors: `${number}${suffix}`,
  auth: `${number}${suffix}`,
  allow: codecs,
});

/** In the order in which they must be written. */
export const objectsOf = (extension: Held, naming: Naming): [ObjectType, Attributes][] => [
  ['auth', authOf(extension)],
  ['aor', aorOf(extension)],
  ['endpoint', endpointOf(extension, naming)],
];

/** Builds the body of a PUT. A value that is not a string crashes Asterisk and drops every call. */
export function fieldsOf(attributes: Attributes): { fields: { attribute: string; value: string }[] } {
  const fields = Object.entries(attributes).map(([attribute, value]) => {
    if (typeof value !== 'string') throw new TypeError(`${attribute} is not a string`);
    return { attribute, value };
  });
  return { fields };
}

export const operationIn = (endpoint: Attributes): string | undefined => {
  const tag = endpoint['callerid_tag'] ?? '';
  return tag.startsWith(OURS) ? tag.slice(OURS.length) : undefined;
};

/** Tells the aor's `mailboxes` from the endpoint's. */
const nameOf = (type: ObjectType, name: string): string =>
  type === 'aor' && name === 'mailboxes' ? `aor_${name}` : name;

/** All written attributes as Asterisk shows them, except the operation's id, which is not part of the extension. */
export function shownOf(extension: Held, naming: Naming): Held {
  const shown = objectsOf(extension, naming).flatMap(([type, attributes]) =>
    Object.entries(attributes).flatMap(([name, value]) => {
      const as = shownAs(name, value);
      return as === undefined || name === 'callerid_tag' ? [] : [[nameOf(type, name), as] as const];
    }),
  );
  // `bundle` implies `rtcp_mux`.
  const implied = text(extension, 'bundle') === 'yes' ? { rtcp_mux: 'true' } : {};
  return { number: extension.number, ...Object.fromEntries(shown), ...implied };
}

const BOOLEANS = new Set([
  'bundle',
  'force_rport',
  'ice_support',
  'media_encryption_optimistic',
  'media_use_received_transport',
  'remove_existing',
  'rewrite_contact',
  'rtcp_mux',
  'rtp_symmetric',
  'send_pai',
  'send_rpid',
  'trust_id_inbound',
  'use_avpf',
]);
const CAPITALS = new Set(['dtls_auto_generate_cert', 'dtls_verify']);
const NUMBERS = new Set(['max_contacts', 'maximum_expiration', 'qualify_frequency', 'device_state_busy_at']);
const GROUPS = new Set(['named_call_group', 'named_pickup_group']);

function shownAs(name: string, value: string): string | undefined {
  if (name === 'allow') return shownCodecs(value);
  if (name === 'callerid') return value.replace(/^"" <(\d+)>$/, '$1');
  if (name === 'timers') return value === 'forced' ? 'always' : value;
  if (BOOLEANS.has(name)) return String(value === 'yes');
  if (CAPITALS.has(name)) return `${value.charAt(0).toUpperCase()}${value.slice(1)}`;
  if (NUMBERS.has(name)) return String(Number(value));
  return GROUPS.has(name) ? sorted(value) : value;
}

/** Merges the attributes of the three objects. Groups are sorted, because Asterisk lists them in its own order. */
export const merged = (found: readonly (Attributes | undefined)[]): Attributes =>
  Object.fromEntries(
    OBJECT_TYPES.flatMap((type, index) =>
      Object.entries(found[index] ?? {}).map(([name, value]) => [
        nameOf(type, name),
        GROUPS.has(name) ? sorted(value) : value,
      ]),
    ),
  );

const sorted = (groups: string): string =>
  [...new Set(groups.split(',').map((group) => group.trim()))]
    .filter((group) => group !== '')
    .toSorted()
    .join(', ');
