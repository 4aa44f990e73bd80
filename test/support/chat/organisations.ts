/** Two organisations on one server, with users of the same addresses, reached by their hosts. */
import { createRealm, moveRealm } from '../../../src/chat/commands/organisation/realms';
import { createUser } from '../../../src/chat/commands/users/create-user';
import type { RealmId } from '../../../src/chat/model/organisation/realm';
import { getRealm } from '../../../src/chat/queries/organisation/find-realm';
import { callerOf, type Caller } from './people';
import { basicHeader, type Ask, type TestClient } from '../http/client';
import { openCluster, type Cluster, type Environment, type TestNode } from '../kernel/cluster';
import { chatOf } from '../kernel/parts';

export const ROOT = 'chat.test';

export interface Organisation extends TestClient {
  readonly id: RealmId;
  readonly owner: Caller;
  readonly member: Caller;
}

export interface Organisations {
  readonly cluster: Cluster;
  readonly node: TestNode;
  readonly acme: Organisation;
  readonly beta: Organisation;
}

/** Sends a request like a proxy that received it for this host. */
export function clientAt(node: TestClient, host: string): TestClient {
  const call = (path: string, ask: Ask = {}) =>
    node.call(path, { ...ask, headers: { 'X-Forwarded-Host': host, ...ask.headers } });
  return {
    call,
    async basic(email) {
      const { body } = await call('/api/v1/dev_fetch_api_key', { form: { username: email } });
      return basicHeader(email, (body as { api_key: string }).api_key);
    },
  };
}

export async function openOrganisations(more: Environment = {}): Promise<Organisations> {
  const cluster = await openCluster({
    RATE_LIMIT: 'off',
    PUBLIC_URL: `https://${ROOT}`,
    TRUSTED_PROXIES: '127.0.0.1',
    ...more,
  });
  await cluster.seed();
  const node = await cluster.node();
  const { kernel } = node;
  const first = (await getRealm(chatOf(kernel))).id;
  await moveRealm(chatOf(kernel), first, { subdomain: 'acme' });
  const second = await createRealm(chatOf(kernel), { name: 'Beta', description: 'Another place', subdomain: 'beta' });
  for (const [name, role] of [
    ['owner', 'admin'],
    ['member', 'member'],
  ] as const) {
    await createUser(kernel, { realmId: second, email: `${name}@example.com`, fullName: `Beta ${name}`, role });
  }
  const of = async (id: RealmId, subdomain: string): Promise<Organisation> => {
    const client = clientAt(node, `${subdomain}.${ROOT}`);
    const [owner, member] = [await callerOf(client, 'owner@example.com'), await callerOf(client, 'member@example.com')];
    return { ...client, id, owner, member };
  };
  return { cluster, node, acme: await of(first, 'acme'), beta: await of(second, 'beta') };
}
