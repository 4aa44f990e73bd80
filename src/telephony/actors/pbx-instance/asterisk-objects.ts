/** An extension as Asterisk's PJSIP objects have it: every attribute is a text. */
import type { Held } from './driver';

export type Attributes = Readonly<Record<string, string>>;

const VARIABLE = 'PARTYLINE_OPERATION';

const text = (extension: Held, name: string): string => {
  const value = extension[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

export const authOf = (extension: Held): Attributes => ({
  auth_type: 'userpass',
  username: String(extension.number),
  password: text(extension, 'secret'),
});

export const aorOf = (extension: Held): Attributes => ({
  max_contacts: text(extension, 'max_contacts') || '1',
  maximum_expiration: text(extension, 'maximum_expiration') || '7200',
  qualify_frequency: text(extension, 'qualifyfreq') || '60',
  // A phone that comes back under another address takes the place of its old self.
  remove_existing: 'yes',
});

/** Fields that both have, under Asterisk's names. */
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

/** chan_sip's words for what PJSIP calls otherwise. */
const DTMF: Readonly<Record<string, string>> = { rfc2833: 'rfc4733', shortinfo: 'info' };

export function endpointOf(extension: Held): Attributes {
  const number = String(extension.number);
  const same = Object.entries(SAME).map(([theirs, ours]) => [theirs, text(extension, ours)] as const);
  const dtmf = text(extension, 'dtmfmode');
  const sendrpid = text(extension, 'sendrpid');
  const allow = text(extension, 'allow');
  return {
    ...Object.fromEntries(same),
    aors: number,
    auth: number,
    callerid: `"${text(extension, 'name').replaceAll('"', "'")}" <${number}>`,
    dtmf_mode: DTMF[dtmf] ?? (dtmf || 'rfc4733'),
    send_pai: yes(sendrpid === 'pai' || sendrpid === 'both'),
    send_rpid: yes(sendrpid === 'yes' || sendrpid === 'both'),
    mailboxes: text(extension, 'voicemail') === 'novm' ? '' : text(extension, 'mailbox'),
    ...(allow === '' ? {} : { disallow: 'all', allow }),
    set_var: `${VARIABLE}=${extension.operation ?? ''}`,
  };
}

const yes = (is: boolean): string => (is ? 'yes' : 'no');

export const operationIn = (endpoint: Attributes): string | undefined =>
  new RegExp(`^${VARIABLE}=(.+)$`).exec(endpoint['set_var'] ?? '')?.[1];

export const nameIn = (endpoint: Attributes | undefined): string =>
  /^"(.*)" </.exec(endpoint?.['callerid'] ?? '')?.[1] ?? '';

/** What is compared: attributes that Asterisk shows as they were given. */
export function shownOf(extension: Held): Held {
  const endpoint = endpointOf(extension);
  const pick = (name: string) => [name, endpoint[name]] as const;
  return {
    number: extension.number,
    ...Object.fromEntries(['context', 'dtmf_mode', 'media_encryption', 'accountcode', 'transport'].map(pick)),
    name: nameIn(endpoint),
    max_contacts: aorOf(extension)['max_contacts'],
    secret: authOf(extension)['password'],
  };
}
