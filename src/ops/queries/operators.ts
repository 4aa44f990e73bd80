/** Finds operators by key or session; lists them and their audit trail. */
import { decodeBasic } from '../../kernel/secrets/basic-credentials';
import type { Kernel, Storage } from '../../kernel/kernel';
import { NOTE_USE_MS } from '../../kernel/sessions/page-session';
import type { Operator } from '../model/operator';
import * as operators from '../store/operators';
import * as sessions from '../store/sessions';

type Parts = Storage & Pick<Kernel, 'keys' | 'log'>;

export interface ShownKey {
  readonly key: string;
  /** The expected owner of the key; any operator if omitted. */
  readonly name?: string;
  /** The IP address of the request. */
  readonly from: string;
}

export async function findKeyHolder(
  kernel: Storage & Pick<Kernel, 'keys'>,
  { key, name, from }: ShownKey,
): Promise<Operator | undefined> {
  if (!/^[A-Za-z0-9]{20,100}$/.test(key)) return undefined;
  const keyHash = kernel.secrets.lookup(key);
  const operator = await kernel.keys.find({ keyHash, from }, () => operators.byKeyHash(kernel.mysql, keyHash));
  return operator && (name ?? operator.name) === operator.name ? operator : undefined;
}

/** Bearer with a key, or Basic with name and key. */
export async function findOperator(
  kernel: Storage & Pick<Kernel, 'keys'>,
  { authorization, from }: { readonly authorization: string; readonly from: string },
): Promise<Operator | undefined> {
  const shown = readHeader(authorization);
  return shown && findKeyHolder(kernel, { ...shown, from });
}

function readHeader(authorization: string): { name?: string; key: string } | undefined {
  const [, scheme = '', value = ''] = /^(\w+)\s+(\S+)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return { key: value };
  if (scheme.toLowerCase() !== 'basic') return undefined;
  const text = decodeBasic(value);
  if (text === undefined) return undefined;
  const colon = text.lastIndexOf(':');
  return { name: text.slice(0, colon), key: text.slice(colon + 1) };
}

export async function findSessionOperator(kernel: Parts, token: string, from: string): Promise<Operator | undefined> {
  const keyHash = kernel.secrets.lookup(token);
  const found = await kernel.keys.find({ keyHash, from }, () => sessions.byTokenHash(kernel.mysql, keyHash));
  if (found && found.unusedMs > NOTE_USE_MS) {
    // The request does not wait for it.
    sessions
      .noteUse(kernel.mysql, found.id)
      .catch((error: Error) => kernel.log.debug({ error }, 'could not store the time a session was last used'));
  }
  return found?.operator;
}

export { list as listOperators } from '../store/operators';
export { list as listAudit } from '../store/audit';
