/** Opens and ends console sessions. Both are recorded in the audit trail. */
import { ensure } from '../../kernel/fault';
import { newSecret } from '../../kernel/id';
import type { Kernel, Storage } from '../../kernel/kernel';
import { boundedBrowser, MAX_SESSIONS, TOKEN_LENGTH, type Browser } from '../../kernel/sessions/page-session';
import { wrongKey } from '../model/faults';
import type { Operator } from '../model/operator';
import { findKeyHolder } from '../queries/operators';
import * as audit from '../store/audit';
import * as operators from '../store/operators';
import * as sessions from '../store/sessions';

type Parts = Storage & Pick<Kernel, 'keys'>;

export interface SignIn extends Browser {
  readonly name: string;
  readonly key: string;
}

export interface SignedIn {
  readonly operator: Operator;
  /** Only the browser keeps it. */
  readonly token: string;
}

export async function signIn(kernel: Parts, { name, key, ...browser }: SignIn): Promise<SignedIn> {
  const operator = await findKeyHolder(kernel, { name, key, from: browser.address });
  ensure(operator !== undefined, wrongKey());
  return openSession(kernel, operator, { key_hash: kernel.secrets.lookup(key) }, browser);
}

/** Needs no key. The caller must have checked that this is a development server. */
export async function signInForDevelopment(kernel: Storage, name: string, browser: Browser): Promise<SignedIn> {
  const operator = await operators.byName(kernel.mysql, name);
  ensure(operator !== undefined, wrongKey());
  return openSession(kernel, operator, { name: operator.name }, browser);
}

async function openSession(
  kernel: Storage,
  operator: Operator,
  by: Parameters<typeof operators.lockId>[1],
  { agent, address }: Browser,
): Promise<SignedIn> {
  const token = newSecret(TOKEN_LENGTH);
  await kernel.transaction(async (tx) => {
    const operatorId = await operators.lockId(tx.db, by);
    ensure(operatorId !== undefined, wrongKey());
    const tokenHash = kernel.secrets.lookup(token);
    await sessions.insert(tx.db, { operatorId, tokenHash, ...boundedBrowser({ agent, address }) });
    await sessions.removeOld(tx.db, operatorId, MAX_SESSIONS);
    await audit.insert(tx.db, auditRecordOf(operator, 'sign-in', address));
  });
  return { operator, token };
}

export const signOut = (kernel: Storage, { operator, token }: SignedIn, address: string): Promise<void> =>
  kernel.transaction(async (tx) => {
    await sessions.remove(tx.db, kernel.secrets.lookup(token));
    await audit.insert(tx.db, auditRecordOf(operator, 'sign-out', address));
  });

const auditRecordOf = ({ name }: Operator, action: string, address: string) =>
  ({ operator: name, via: 'console', action, target: address, count: null }) as const;
