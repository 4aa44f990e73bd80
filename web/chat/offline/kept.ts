/**
 * What the chat shows when it starts without a network: one record, encrypted with the token of the session that wrote
 * it. Another session, of the same or of another account, cannot read it, and the end of the session deletes it.
 */
import type { Narrow } from '../data/narrow';
import type { ChatState } from '../data/store';
import type { Message, SignedIn } from '../data/wire';
import { DATABASE } from './forget';

export interface Kept {
  readonly at: number;
  readonly session: SignedIn;
  readonly state: Partial<ChatState>;
  readonly lists: readonly { readonly narrow: Narrow; readonly ids: readonly number[] }[];
  readonly messages: readonly Message[];
}

interface Sealed {
  /** The scripts of the page that wrote it: another build may have other shapes. */
  readonly build: string;
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly data: ArrayBuffer;
}

const STORE = 'page';
const RECORD = 'newest';
const MAX_BYTES = 4_000_000;
const MAX_AGE_MS = 14 * 24 * 3_600_000;

const build = (): string => document.querySelector('script[type=module]')?.getAttribute('src') ?? '';

function settled<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('no storage'));
  });
}

async function within<Value>(mode: IDBTransactionMode, run: (store: IDBObjectStore) => IDBRequest<Value>) {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await settled(opening);
  try {
    return await settled(run(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

async function keyOf(token: string): Promise<CryptoKey> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`partyline-kept ${token}`));
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/** JSON has neither maps nor sets. */
const asPlain = (_name: string, value: unknown): unknown => {
  if (value instanceof Map) return { $map: [...value] };
  return value instanceof Set ? { $set: [...value] } : value;
};

const asWas = (_name: string, value: unknown): unknown => {
  const { $map, $set } = (value ?? {}) as { $map?: [unknown, unknown][]; $set?: unknown[] };
  if (Array.isArray($map)) return new Map($map);
  return Array.isArray($set) ? new Set($set) : value;
};

export async function writeKept(token: string, kept: Kept): Promise<void> {
  const text = new TextEncoder().encode(JSON.stringify(kept, asPlain));
  if (token === '' || text.byteLength > MAX_BYTES) return;
  const nonce = crypto.getRandomValues(new Uint8Array(12));
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, await keyOf(token), text);
  const sealed: Sealed = { build: build(), nonce, data };
  await within('readwrite', (store) => store.put(sealed, RECORD));
}

/** Undefined if this session, with these scripts, has kept nothing. */
export async function readKept(token: string): Promise<Kept | undefined> {
  try {
    const sealed = await within<Sealed | undefined>('readonly', (store) => store.get(RECORD));
    if (token === '' || sealed?.build !== build()) return undefined;
    const { nonce, data } = sealed;
    const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce }, await keyOf(token), data);
    const kept = JSON.parse(new TextDecoder().decode(text), asWas) as Kept;
    return Date.now() - kept.at < MAX_AGE_MS ? kept : undefined;
  } catch {
    return undefined;
  }
}
