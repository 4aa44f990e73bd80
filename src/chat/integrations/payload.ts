/** Reads payloads of unknown shape. Each access reports which key is missing or has the wrong type. */
import { coded } from '../model/faults';
import { missingKey, unknownEvent } from './integration';

/** Types that can be read as text. */
const TEXTUAL: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

export class Payload {
  readonly #value: Record<string, unknown>;
  readonly #path: string;

  constructor(value: unknown, path = '') {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw path === '' ? payloadMustBe('an object') : wrongKind(path, 'an object');
    this.#value = value as Record<string, unknown>;
    this.#path = path;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#value, key) && this.#value[key] !== null && this.#value[key] !== undefined;
  }

  isText(key: string): boolean {
    return this.has(key) && TEXTUAL.has(typeof this.#value[key]);
  }

  text(key: string): string {
    return asText(this.#get(key), this.#place(key));
  }

  textOr(key: string, otherwise: string): string {
    return this.has(key) ? this.text(key) : otherwise;
  }

  object(key: string): Payload {
    return new Payload(this.#get(key), this.#place(key));
  }

  /** An optional object. If it is absent, reads from it fail with its path. */
  objectOr(key: string): Payload {
    return this.has(key) ? this.object(key) : new Payload({}, this.#place(key));
  }

  list(key: string): Payload[] {
    return this.#items(key).map((each, index) => new Payload(each, `${this.#place(key)}[${index}]`));
  }

  listOr(key: string): Payload[] {
    return this.has(key) ? this.list(key) : [];
  }

  /** The objects of a list that are not null; empty if absent. */
  presentIn(key: string): Payload[] {
    if (!this.has(key)) return [];
    const place = (index: number): string => `${this.#place(key)}[${index}]`;
    return this.#items(key).flatMap((each, index) => (each === null ? [] : new Payload(each, place(index))));
  }

  /** A list of texts; empty if absent. */
  textsOr(key: string): string[] {
    return this.has(key) ? this.#items(key).map((each, index) => asText(each, `${this.#place(key)}[${index}]`)) : [];
  }

  /** A text, or a list of texts, because a template may produce either. */
  joined(key: string): string {
    return Array.isArray(this.#get(key)) ? this.textsOr(key).join(', ') : this.text(key);
  }

  /** All text fields with their names, for labels with unknown names. */
  texts(): [string, string][] {
    return Object.entries(this.#value)
      .filter(([, value]) => TEXTUAL.has(typeof value))
      .map(([key, value]) => [key, String(value)]);
  }

  keys(): string[] {
    return Object.keys(this.#value);
  }

  isTrue(key: string): boolean {
    return this.textOr(key, 'false') === 'true';
  }

  #items(key: string): unknown[] {
    const value = this.#get(key);
    if (!Array.isArray(value)) throw wrongKind(this.#place(key), 'a list');
    return value;
  }

  #get(key: string): unknown {
    if (!this.has(key)) throw missingKey(this.#place(key));
    return this.#value[key];
  }

  #place(key: string): string {
    return this.#path === '' ? key : `${this.#path}.${key}`;
  }
}

/** The text or number at a path in any payload; empty if there is none. For ids, which must never fail. */
export function textAt(payload: unknown, ...path: readonly string[]): string {
  let value = payload;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return '';
    value = (value as Record<string, unknown>)[key];
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function asText(value: unknown, place: string): string {
  if (!TEXTUAL.has(typeof value)) throw wrongKind(place, 'text');
  return String(value);
}

const payloadMustBe = (kind: string) =>
  coded('invalid', 'BAD_REQUEST', `The payload must be ${kind}`, { key: 'payload' });

const wrongKind = (place: string, kind: string) =>
  coded('invalid', 'BAD_REQUEST', `'${place}' in the payload must be ${kind}`, { key: place });

/** Looks external words up in a table safely: words such as `constructor` are never found. */
export const lookUp = <Entry>(table: Readonly<Record<string, Entry>>, word: string): Entry | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** The same for events: one that is not in the table is unknown to the service's integration. */
export function entryOf<Entry>(
  table: Readonly<Record<string, Entry>>,
  word: string,
  service: string,
  event = word,
): Entry {
  const entry = lookUp(table, word);
  if (entry === undefined) throw unknownEvent(service, event);
  return entry;
}
