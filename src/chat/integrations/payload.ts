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

  list(key: string): Payload[] {
    const value = this.#get(key);
    if (!Array.isArray(value)) throw wrongKind(this.#place(key), 'a list');
    return value.map((each, index) => new Payload(each, `${this.#place(key)}[${index}]`));
  }

  #get(key: string): unknown {
    if (!this.has(key)) throw missingKey(this.#place(key));
    return this.#value[key];
  }

  #place(key: string): string {
    return this.#path === '' ? key : `${this.#path}.${key}`;
  }
}

const wrongKind = (place: string, kind: string) =>
  new Fault('invalid', `'${place}' in the payload must be ${kind}`, { code: 'BAD_REQUEST', fields: { key: place } });
