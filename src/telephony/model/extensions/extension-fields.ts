/** Every field of an extension's `data` with its default and allowed values, as in FreePBX. */

export type Value = string | number | boolean;

export interface Field {
  readonly type: 'text' | 'integer' | 'boolean';
  /** May depend on the extension's number and name. */
  readonly fallback: Value | ((number: number, name: string) => Value);
  readonly values?: readonly string[];
  readonly least?: number;
  readonly most?: number;
}

export const fallbackOf = ({ fallback }: Pick<Field, 'fallback'>, number: number, name: string): Value =>
  typeof fallback === 'function' ? fallback(number, name) : fallback;

const text = (fallback: Field['fallback'] = '', most = 255): Field => ({ type: 'text', fallback, most });
const choice = (...values: string[]): Field => ({ type: 'text', fallback: values[0]!, values });
const integer = (fallback: number, least: number, most: number): Field => ({ type: 'integer', fallback, least, most });
const boolean = (fallback: boolean): Field => ({ type: 'boolean', fallback });
/** A whole number that is sent as text. */
const digits = (fallback: string, most: number): Field => ({ type: 'text', fallback, least: 0, most });

const named = (names: readonly string[], field: Field): Record<string, Field> =>
  Object.fromEntries(names.map((name) => [name, field]));

const EMPTY = [
  'accountcode',
  'allow',
  'busy_cid',
  'busy_dest',
  'chanunavail_cid',
  'chanunavail_dest',
  'cid_masquerade',
  'description',
  'disallow',
  'emergency_cid',
  'findmefollow_annmsg_id',
  'findmefollow_calendar_id',
  'findmefollow_fixedcid',
  'findmefollow_grppre',
  'findmefollow_postdest',
  'findmefollow_remotealert_id',
  'findmefollow_toolate_id',
  'namedcallgroup',
  'namedpickupgroup',
  'noanswer',
  'noanswer_cid',
  'noanswer_dest',
  'outboundcid',
  'recording',
  'sipname',
  'transport',
  'vmx_option_0_number',
  'vmx_option_1_number',
  'vmx_option_2_number',
  'voicemail_email',
  'voicemail_pager',
];
const NO_YES = [
  'avpf',
  'bundle',
  'icesupport',
  'media_encryption_optimistic',
  'media_use_received_transport',
  'rtcp_mux',
];
const YES_NO = ['force_rport', 'rewrite_contact', 'rtp_symmetric', 'trustrpid'];
const RECORDINGS = ['in_external', 'in_internal', 'out_external', 'out_internal'].map((way) => `recording_${way}`);
const SWITCHES = ['vmx_busy_enabled', 'vmx_temp_enabled', 'vmx_unavail_enabled'];

export const FIELDS: Readonly<Record<string, Field>> = {
  ...named(EMPTY, text()),
  ...named(NO_YES, choice('no', 'yes')),
  ...named(YES_NO, choice('yes', 'no')),
  ...named(RECORDINGS, choice('dontcare', 'force', 'yes', 'no', 'never')),
  ...named(SWITCHES, choice('', 'enabled', 'disabled', 'blocked')),
  name: text((_, name) => name, 100),
  answermode: choice('disabled', 'intercom'),
  callerid: text((number, name) => `${name} <${number}>`),
  callwaiting_enable: choice('ENABLED', '', 'enabled', 'disabled'),
  concurrency_limit: integer(0, 0, 120),
  context: text('from-internal', 80),
  device_state_busy_at: digits('0', 1000),
  devicetype: choice('fixed', 'adhoc'),
  dial: text((number) => `PJSIP/${number}`),
  disable_star_voicemail: choice('no', 'yes'),
  dtmfmode: choice('rfc4733', 'auto', 'auto_info', 'info', 'inband', 'rfc2833', 'shortinfo'),
  findmefollow_calendar_match: choice('yes', 'no'),
  findmefollow_changecid: choice('default', 'fixed', 'extern', 'did', 'forcedid'),
  findmefollow_dring: text('', 255),
  findmefollow_enabled: choice('', 'yes'),
  findmefollow_grplist: text((number) => String(number)),
  findmefollow_grptime: integer(20, 0, 300),
  findmefollow_needsconf: boolean(false),
  findmefollow_pre_ring: integer(7, 0, 60),
  findmefollow_ringing: text('Ring', 80),
  findmefollow_strategy: choice(
    'ringallv2-prim',
    'ringallv2',
    'ringall',
    'ringall-prim',
    'hunt',
    'hunt-prim',
    'memoryhunt',
    'memoryhunt-prim',
    'firstavailable',
    'firstnotonphone',
  ),
  findmefollow_voicemail: choice('default', 'novm', 'yes', 'no', ''),
  intercom: choice('enabled', 'disabled'),
  mailbox: text((number) => `${number}@device`),
  max_contacts: digits('1', 100),
  maximum_expiration: digits('7200', 2_592_000),
  media_encryption: choice('no', 'sdes', 'dtls'),
  mohclass: text('default', 80),
  mwi_subscription: choice('auto', 'unsolicited', 'solicited'),
  qualifyfreq: digits('60', 86_400),
  recording_ondemand: choice('disabled', 'enabled', 'override'),
  recording_priority: integer(10, 0, 20),
  ringtimer: digits('0', 120),
  sendrpid: choice('no', 'yes', 'pai', 'both'),
  sipdriver: choice('chan_pjsip', 'chan_sip'),
  tech: choice('pjsip', 'sip', 'iax2', 'dahdi', 'custom', 'virtual'),
  timers: choice('yes', 'no', 'required', 'always', 'forced'),
  user: text((number) => String(number), 80),
  vmx_play_instructions: boolean(true),
  voicemail: choice('novm', 'default'),
  voicemail_enable: choice('', 'yes'),
  voicemail_options: text('attach=no|saycid=no|envelope=no|delete=no'),
  voicemail_same_exten: choice('no', 'yes'),
};

/** The fields with credentials. They are never part of the other fields. */
export const CREDENTIAL_FIELDS = ['secret', 'password', 'voicemail_vmpwd'] as const;
