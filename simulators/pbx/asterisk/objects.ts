// The PJSIP objects of a simulated Asterisk, as push configuration writes them. Attributes are strings.
import type { JsonObject, Store } from '../store';
import { changedCodecs, NO_CODECS, recorded, shownFor, TYPES, UNKNOWN_CALLER } from './recorded';
import type { Attributes, ObjectType } from './recorded';

/** Stores each object type under a name that no instance has, apart from the extensions of other simulated vendors. */
export const collection = (instance: string, type: ObjectType): string => `${instance}/${type}`;

export type Key = readonly [type: ObjectType, id: string];
export type Fields = readonly (readonly [name: string, value: string])[];

const stored = (store: Store, instance: string, [type, id]: Key) =>
  store.get({ instance: collection(instance, type), number: id })?.extension['attributes'] as Attributes | undefined;

export const isReadable = (attributes: Attributes | undefined): attributes is Attributes =>
  attributes !== undefined && attributes['allow'] !== NO_CODECS;

/** An endpoint without codecs exists but is not found. */
export function get(store: Store, instance: string, key: Key): Attributes | undefined {
  const found = stored(store, instance, key);
  return isReadable(found) ? found : undefined;
}

/** The object after a change; undefined if a value is refused. An unreadable object is created anew. */
export function changed(before: Attributes | undefined, type: ObjectType, fields: Fields): Attributes | undefined {
  const after: Attributes = { ...(before ?? { ...recorded.defaults[type], ...NOTHING_YET[type] }) };
  for (const field of fields) {
    const isCodecs = type === 'endpoint' && CODECS.has(field[0]);
    const shown = isCodecs ? changedCodecs(after['allow'] ?? '', field) : shownFor(type, field);
    if (shown === null) return undefined;
    after[isCodecs ? 'allow' : field[0]] = shown;
  }
  // `bundle` implies `rtcp_mux`.
  if (after['bundle'] === 'true') after['rtcp_mux'] = 'true';
  const isNobody = after['username'] === '' || after['password'] === '';
  return type === 'auth' && isNobody ? undefined : after;
}

const CODECS = new Set(['allow', 'disallow']);

/** The recorded defaults are from objects with the minimal attributes, which are cleared here. */
const NOTHING_YET: Record<ObjectType, Attributes> = {
  auth: { username: '', password: '' },
  aor: {},
  endpoint: { allow: NO_CODECS },
};

export async function keep(store: Store, instance: string, [type, id]: Key, attributes: Attributes): Promise<void> {
  // A caller id that was never set reads differently once it has been stored in Asterisk's database.
  const kept = attributes['callerid'] === UNKNOWN_CALLER ? { ...attributes, callerid: 'unknown' } : attributes;
  const extension = { number: id, attributes: kept };
  await store.put({ instance: collection(instance, type), number: id }, { extension, key: null });
}

export async function remove(store: Store, instance: string, key: Key): Promise<boolean> {
  if (!get(store, instance, key)) return false;
  return store.remove({ instance: collection(instance, key[0]), number: key[1] });
}

export const names = (store: Store, instance: string, type: ObjectType): string[] =>
  store.list(collection(instance, type)).map(({ number }) => String(number));

/** The endpoints listed after a start: up to the first unreadable one. */
export function listedAfterStart(store: Store, instance: string): string[] {
  const all = names(store, instance, 'endpoint').toSorted();
  const first = all.findIndex((id) => !get(store, instance, ['endpoint', id]));
  return first === -1 ? all : all.slice(0, first);
}

/** A vendor-neutral view: a number exists if any of its objects does. */
export function listObjects(store: Store, instance: string): JsonObject[] {
  const ids = new Set(TYPES.flatMap((type) => names(store, instance, type)));
  return [...ids].map((id) => {
    const [auth, aor, endpoint] = TYPES.map((type) => stored(store, instance, [type, id]));
    const [, name = ''] = /^"(.*)" </.exec(endpoint?.['callerid'] ?? '') ?? [];
    const operation = /^partyline:(.+)$/.exec(endpoint?.['callerid_tag'] ?? '')?.[1];
    const isWhole = auth !== undefined && aor !== undefined && isReadable(endpoint);
    return { number: Number(id), name, secret: auth?.['password'] ?? '', operation, is_whole: isWhole };
  });
}
