import { tenantOf } from '../../../src/kernel/actor/address';
import { logEvent } from '../../../src/kernel/event-log/log-publisher';
import type { RealmId } from '../../../src/chat/model/organisation/realm';
import type { UserId } from '../../../src/chat/model/users/user';
import { openDeliveryWriter, type NewDelivery } from '../../../src/chat/store/bots/deliveries';
import { CommitUnknown } from '../../../src/kernel/mysql/outcome';
import type { CarrierAccountId } from '../../../src/telephony/model/texting/texting';
import * as calls from '../../../src/telephony/store/texting/carrier-calls';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { openTcpProxy, type TcpProxy } from '../../support/proxies/tcp-proxy';
import { until } from '../../support/until';

let cluster: Cluster;
let proxy: TcpProxy;
let through: { DATABASE_URL: string };

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  const url = new URL(cluster.environment['DATABASE_URL']!);
  proxy = await openTcpProxy(Number(url.port));
  url.port = String(proxy.port);
  through = { DATABASE_URL: url.href };
});
afterAll(async () => {
  proxy.cutAfter(null);
  await cluster.close();
  await proxy.close();
});

test('A commit whose answer is lost is unknown to its caller, and another process publishes its events', async () => {
  const kernel = await cluster.kernel(through);
  const tenant = tenantOf('test', 'lost');
  const witness = await cluster.kernel();
  proxy.cutAfter('INSERT INTO kernel_outbox');
  const failure = await kernel
    .transaction(async (tx) => tx.deliver(logEvent(tenant, 'perhaps')))
    .catch((error: unknown) => error);
  proxy.cutAfter(null);
  expect(failure).toBeInstanceOf(CommitUnknown);
  expect(proxy.cuts).toBe(1);
  const rows = () => witness.mysql('kernel_outbox').where({ tenant }).whereNotNull('published_at').pluck('body');
  expect(await until(rows, (told) => told.length === 1)).toEqual(['perhaps']);
});

test('A message whose commit answer is lost is looked up, so that it exists once and its id is returned', async () => {
  const node = await cluster.node(through);
  const headers = { ...(await node.basic('member@example.com')), 'Idempotency-Key': 'lost-and-found' };
  const form = { type: 'stream', to: 'test', topic: 'lost', content: 'once' };
  await node.call('/api/v1/messages', {
    form: { ...form, content: 'warm' },
    headers: await node.basic('member@example.com'),
  });
  proxy.cutAfter('INSERT INTO chat_messages');
  const answer = node.call('/api/v1/messages', { form, headers });
  await until(() => proxy.cuts === 2);
  proxy.cutAfter(null);
  const { status, body } = await answer;
  const again = await node.call('/api/v1/messages', { form, headers });
  const rows = await node.kernel.mysql('chat_messages').where({ content: 'once' }).pluck('id');
  expect(rows).toHaveLength(1);
  expect(again.body.id).toBe(rows[0]);
  if (status === 200) expect(body.id).toBe(rows[0]);
  else expect(status).toBe(503);
});

describe('Work of services that is stored with a key', () => {
  const delivery = (dedupeKey: string, more: Partial<NewDelivery> = {}): NewDelivery => ({
    realmId: 1 as RealmId,
    botId: 1 as UserId,
    integration: 'json',
    dedupeKey,
    stream: null,
    topic: null,
    payload: '{}',
    event: '',
    notices: '[]',
    ...more,
  });

  test('Deliveries whose commit answer is lost are written once more, and each exists once', async () => {
    const { mysql } = await cluster.kernel(through);
    const writer = openDeliveryWriter(mysql);
    await writer.write(delivery('warm'));
    proxy.cutAfter('INSERT INTO chat_deliveries', 1);
    await Promise.all(['lost', 'lost', 'found'].map((key) => writer.write(delivery(key))));
    expect(
      await mysql('chat_deliveries').whereIn('dedupe_key', ['lost', 'found']).orderBy('id').pluck('dedupe_key'),
    ).toEqual(['lost', 'found']);
  });

  test('A carrier call whose commit answer is lost is written once more, and exists once', async () => {
    const { mysql } = await cluster.kernel(through);
    const call = {
      accountId: 'lost' as CarrierAccountId,
      about: 'texting',
      dedupeKey: 'a'.repeat(64),
      url: '',
      body: '{}',
    };
    proxy.cutAfter('INSERT INTO tel_carrier_calls', 1);
    await calls.insert(mysql, [call as calls.NewCall]);
    expect(await mysql('tel_carrier_calls').where({ account_id: 'lost' }).pluck('body')).toEqual(['{}']);
  });

  test('A delivery whose commit answer is lost twice is refused, because nobody knows whether it is stored', async () => {
    const { mysql } = await cluster.kernel(through);
    proxy.cutAfter('INSERT INTO chat_deliveries', 2);
    const failure = await openDeliveryWriter(mysql)
      .write(delivery('unknown'))
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CommitUnknown);
  });
});
