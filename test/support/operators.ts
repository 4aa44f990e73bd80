/** Operators with keys, and bots with deliveries, for tests of the operators' tools. */
import { createUser } from '../../src/chat/commands/users/create-user';
import { INCOMING_WEBHOOK } from '../../src/chat/model/users/user';
import { getRealm } from '../../src/chat/queries/organisation/find-realm';
import type { Kernel } from '../../src/kernel/kernel';
import { addOperator } from '../../src/ops/commands/operators';
import type { Access } from '../../src/ops/model/operator';
import type { Answer, TestClient } from './http/client';
import { chatOf } from './kernel/parts';

export interface OperatorClient {
  readonly key: string;
  get(path: string, query?: Record<string, string>): Promise<Answer>;
  post(path: string, json?: unknown): Promise<Answer>;
}

export async function operator(
  kernel: Kernel,
  client: TestClient,
  name: string,
  access: Access,
): Promise<OperatorClient> {
  const { key } = await addOperator(kernel, { name, access });
  const headers = { Authorization: `Bearer ${key}` };
  return {
    key,
    get: (path, query = {}) => client.call(`/ops/api${path}`, { headers, query }),
    post: (path, json = {}) => client.call(`/ops/api${path}`, { headers, json }),
  };
}

export interface TestBot {
  readonly id: number;
  readonly email: string;
  readonly key: string;
}

/** A new incoming-webhook bot of member@example.com. */
export async function newBot(kernel: Kernel, name: string): Promise<TestBot> {
  const { id: realmId } = await getRealm(chatOf(kernel));
  const owner = (await kernel.mysql('chat_users').where({ email: 'member@example.com' }).first('id')) as { id: never };
  const email = `${name}@example.com`;
  const bot = { type: INCOMING_WEBHOOK, ownerId: owner.id };
  const { id, key } = await createUser(kernel, { realmId, email, fullName: `Bot ${name}`, role: 'member', bot });
  return { id, email, key };
}
