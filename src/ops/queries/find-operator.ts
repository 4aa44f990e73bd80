/** Which operator an authorization header speaks for: Bearer with a key, or Basic with name and key as browsers send it. */
import { decodeBasic } from '../../kernel/basic-credentials';
import type { Kernel } from '../../kernel/kernel';
import type { Operator } from '../model/operator';
import * as operators from '../store/operators';

export async function findOperator(
  kernel: Kernel,
  { authorization, from }: { readonly authorization: string; readonly from: string },
): Promise<Operator | undefined> {
  const shown = readHeader(authorization);
  if (!shown || !/^[A-Za-z0-9]{20,100}$/.test(shown.key)) return undefined;
  const keyHash = kernel.secrets.lookup(shown.key);
  const operator = await kernel.keys.find({ keyHash, from }, () => operators.byKeyHash(kernel.mysql, keyHash));
  return operator && (shown.name ?? operator.name) === operator.name ? operator : undefined;
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
