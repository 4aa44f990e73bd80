// The objects that an Asterisk keeps for its phones, as its push configuration writes them: attributes are texts.
import type { JsonObject, Store } from '../store';

export const TYPES = ['auth', 'aor', 'endpoint'] as const;
export type ObjectType = (typeof TYPES)[number];
export type Attributes = Record<string, string>;

const YES_NO = /^(yes|no)$/;
const COUNT = /^\d{1,9}$/;
const ANY = /^[^\r\n]*$/;

/** Each attribute with what it may be. */
const SHAPES: Record<ObjectType, Record<string, RegExp>> = {
  auth: {
    auth_type: /^(userpass|digest|md5)$/,
    username: ANY,
    password: ANY,
    md5_cred: ANY,
    realm: ANY,
  },
  aor: {
    max_contacts: COUNT,
    remove_existing: YES_NO,
    qualify_frequency: COUNT,
    default_expiration: COUNT,
    maximum_expiration: COUNT,
    minimum_expiration: COUNT,
    mailboxes: ANY,
  },
  endpoint: {
    aors: ANY,
    auth: ANY,
    context: ANY,
    disallow: ANY,
    allow: ANY,
    callerid: ANY,
    dtmf_mode: /^(rfc4733|inband|info|auto|auto_info)$/,
    direct_media: YES_NO,
    rtp_symmetric: YES_NO,
    force_rport: YES_NO,
    rewrite_contact: YES_NO,
    ice_support: YES_NO,
    use_avpf: YES_NO,
    media_encryption: /^(no|sdes|dtls)$/,
    media_encryption_optimistic: YES_NO,
    media_use_received_transport: YES_NO,
    rtcp_mux: YES_NO,
    bundle: YES_NO,
    timers: /^(yes|no|required|always|forced)$/,
    trust_id_inbound: YES_NO,
    send_pai: YES_NO,
    send_rpid: YES_NO,
    mailboxes: ANY,
    named_call_group: ANY,
    named_pickup_group: ANY,
    device_state_busy_at: COUNT,
    accountcode: ANY,
    moh_suggest: ANY,
    transport: ANY,
    webrtc: YES_NO,
    set_var: ANY,
  },
};

const DEFAULTS: Record<ObjectType, Attributes> = {
  auth: { auth_type: 'userpass', username: '', password: '', md5_cred: '', realm: '' },
  aor: { max_contacts: '0', remove_existing: 'no', qualify_frequency: '0', maximum_expiration: '7200' },
  endpoint: { aors: '', auth: '', context: 'default', dtmf_mode: 'rfc4733', direct_media: 'yes' },
};

export const isType = (text: string | undefined): text is ObjectType => TYPES.some((type) => type === text);

/** The attribute that cannot be as it is given, if one cannot. */
export function wrongAttribute(type: ObjectType, fields: readonly [string, string][]): string | undefined {
  return fields.find(([name, value]) => SHAPES[type][name]?.test(value) !== true)?.[0];
}

/** Types are kept apart from the other dialects' extensions, under names that no instance has. */
const shelf = (instance: string, type: ObjectType): string => `${instance}/${type}`;

export const get = (store: Store, instance: string, [type, id]: readonly [ObjectType, string]) =>
  store.get({ instance: shelf(instance, type), number: id })?.extension['attributes'] as Attributes | undefined;

export async function put(
  store: Store,
  instance: string,
  [type, id]: readonly [ObjectType, string],
  fields: readonly [string, string][],
): Promise<Attributes> {
  const before = get(store, instance, [type, id]) ?? DEFAULTS[type];
  const attributes = { ...before, ...Object.fromEntries(fields) };
  await store.put(
    { instance: shelf(instance, type), number: id },
    { extension: { number: id, attributes }, key: null },
  );
  return attributes;
}

export const remove = (store: Store, instance: string, [type, id]: readonly [ObjectType, string]): Promise<boolean> =>
  store.remove({ instance: shelf(instance, type), number: id });

export const names = (store: Store, instance: string, type: ObjectType): string[] =>
  store.list(shelf(instance, type)).map(({ number }) => String(number));

/** As one would say it of any PBX: a number is there if anything of it is. */
export function listObjects(store: Store, instance: string): JsonObject[] {
  const ids = new Set(TYPES.flatMap((type) => names(store, instance, type)));
  return [...ids].map((id) => {
    const [auth, aor, endpoint] = TYPES.map((type) => get(store, instance, [type, id]));
    const [, name = ''] = /^"(.*)" </.exec(endpoint?.['callerid'] ?? '') ?? [];
    const operation = /^PARTYLINE_OPERATION=(\w+)$/.exec(endpoint?.['set_var'] ?? '')?.[1];
    const isWhole = auth !== undefined && aor !== undefined && endpoint !== undefined;
    return { number: Number(id), name, secret: auth?.['password'] ?? '', operation, is_whole: isWhole };
  });
}
