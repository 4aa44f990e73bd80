import { findCachedCaller } from '../../../src/chat/queries/accounts/find-caller';
import type { Chat } from '../../../src/chat/parts';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { chatOf } from '../../support/kernel/parts';
import { until } from '../../support/until';

let cluster: Cluster;
let chat: Chat;
let authorization: string;

beforeAll(async () => {
  // Turns off everything else that queries the database by itself.
  cluster = await openCluster({ SWEEP_INTERVAL_MS: '600000' });
  await cluster.seed();
  const node = await cluster.node();
  const { body } = await node.call('/api/v1/dev_fetch_api_key', { form: { username: 'member@example.com' } });
  authorization = `Basic ${Buffer.from(`member@example.com:${body.api_key}`).toString('base64')}`;
  chat = chatOf(await cluster.kernel());
});
afterAll(() => cluster.close());

const find = (host: string) => findCachedCaller(chat, { authorization, host, from: '127.0.0.1' });

test('A caller who uses several host names causes no more MySQL queries than one who uses a single name', async () => {
  const hosts = ['one.example', 'two.example', 'three.example'];
  // A caller may be cached only while the node follows the organisation's log.
  const { realmId } = await find(hosts[0]!);
  await until(() => chat.polls.getOpen(realmId)?.isOpen === true);
  for (const host of hosts) await find(host);
  const statements: string[] = [];
  const note = ({ sql }: { sql: string }) => statements.push(sql);
  chat.mysql.on('query', note);
  for (let round = 0; round < 3; round += 1) for (const host of hosts) expect((await find(host)).realmId).toBe(realmId);
  chat.mysql.off('query', note);
  expect(statements).toEqual([]);
});
