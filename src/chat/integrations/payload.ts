/** Reading payloads nobody promised the shape of: each look says which key is missing or of the wrong kind. */
import { Fault } from '../../kernel/fault';
import { missingKey } from './integration';

export class Payload {
  readonly #value: Record<string, unknown>;
  readonly #path: string;

  constructor(value: unknown, path = '') {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw wrongKind(path || 'payload', 'an object');
    this.#value = value as Record<string, unknown>;
    this.#path = path;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#value, key) && this.#value[key] !== null && this.#value[key] !== undefined;
  }

  text(key: string): string {
    const value = this.#get(key);
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw wrongKind(this.#place(key), 'text');
  }

  textOr(key: string, otherwise: string): string {
    return this.has(key) ? this.text(key) : otherwise;
  }

  object(key: string): Payload {
    return new Payload(this.#get(key), this.#place(key));
  }

  /** An object that may be left out; looks into it then find nothing, and say where. */
  objectOr(key: string): Payload {
    return this.has(key) ? this.object(key) : new Payload({}, this.#place(key));
  }

  list(key: string): Payload[] {
    const value = this.#get(key);
    if (!Array.isArray(value)) throw wrongKind(this.#place(key), 'a list');
    return value.map((each, index) => new Payload(each, `${this.#place(key)}[${index}]`));
  }

  listOr(key: string): Payload[] {
    return this.has(key) ? this.list(key) : [];
  }

  isTrue(key: string): boolean {
    return this.textOr(key, 'false') === 'true';
  }

  #get(key: string): unknown {
    if (!this.has(key)) throw missingKey(this.#place(key));
    return this.#value[key];
  }

  #place(key: string): string {
    return this.#path === '' ? key : `${this.#path}.${key}`;
  }
}

/** The text or number at a place in a payload of any shape, empty where there is none: for ids, which never fail. */
export function textAt(payload: unknown, ...path: readonly string[]): string {
  let value = payload;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return '';
    value = (value as Record<string, unknown>)[key];
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const wrongKind = (place: string, kind: string) =>
  new Fault('invalid', `'${place}' in the payload must be ${kind}`, { code: 'BAD_REQUEST', fields: { key: place } });
