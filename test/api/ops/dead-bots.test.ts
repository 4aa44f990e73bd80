import { botInboxes } from '../../../src/chat/actors/mailboxes';
import { WRITTEN } from '../../../src/kernel/mailbox/mailbox';
import { realmTenant } from '../../../src/chat/model/organisation/realm';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { newBot } from '../../support/operators';
import { until } from '../../support/until';
import { startWorkers } from '../../support/kernel/workers';

let cluster: Cluster;
let node: TestNode;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  node = await cluster.node();
  await startWorkers(cluster, 'chat-webhooks');
});
afterAll(() => cluster.close());

const rowOf = (id: number) => node.kernel.mysql('chat_deliveries').where({ id }).first();

test('Deliveries to a bot that was deactivated meanwhile become dead letters', async () => {
  const leaver = await newBot(node.kernel, 'leaver');
  await node.kernel.mysql('chat_users').where({ id: leaver.id }).update({ is_active: false });
  const { realm_id: realmId } = await node.kernel.mysql('chat_users').where({ id: leaver.id }).first('realm_id');
  const row = {
    realm_id: realmId,
    bot_id: leaver.id,
    integration: 'json',
    dedupe_key: 'l',
    payload: '{}',
    notices: '[]',
    state: 'pending',
  };
  const [id] = await node.kernel
    .mysql('chat_deliveries')
    .insert({ ...row, event: '', created_at: node.kernel.mysql.raw('NOW(3)') });
  botInboxes.at(realmTenant(realmId), String(leaver.id)).send(node.kernel.jobs, WRITTEN);
  expect(
    await until(
      () => rowOf(id!),
      ({ state }) => state !== 'pending',
    ),
  ).toMatchObject({ state: 'failed', error: 'Account is deactivated' });
});
