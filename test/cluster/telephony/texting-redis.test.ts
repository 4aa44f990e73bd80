// Company events while Redis is cut off, killed, or comes back empty: each is delivered once, in order.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Kernel } from '../../../src/kernel/kernel';
import { rotateKey } from '../../../src/telephony/commands/companies/change-companies';
import type { CompanyId } from '../../../src/telephony/model/companies/company';
import { KEY_ONE, KEY_TWO } from '../../support/telephony/companies';
import { killAll } from '../../support/processes/processes';
import { ownDirectory, startRedis } from '../../support/servers/services';
import { closeSockets, enter } from '../../support/http/sockets';
import { openTcpProxy, type TcpProxy } from '../../support/proxies/tcp-proxy';
import { expectReceived, openTextingCluster, type TextingCluster } from '../../support/telephony/texting-cluster';
import type { TextingClient } from '../../support/telephony/texting-client';
import { until } from '../../support/until';

const own = ownDirectory();
const directory = join(own.path, 'redis');
let redis: Awaited<ReturnType<typeof startRedis>>;
let proxy: TcpProxy;
let texting: TextingCluster;
let witness: Kernel;
let clients: TextingClient[];
let other: TextingClient;

const startOwnRedis = (port?: number) =>
  startRedis({ dir: directory, appendonly: true, password: 'secret', ...(port === undefined ? {} : { port }) });

beforeAll(async () => {
  redis = await startOwnRedis();
  proxy = await openTcpProxy(redis.port);
  const through = new URL(redis.url);
  through.port = String(proxy.port);
  // The second node reaches Redis through a proxy that a test can cut.
  const each = [{}, { REDIS_URL: through.toString() }];
  texting = await openTextingCluster({ REDIS_URL: redis.url }, each);
  witness = await texting.cluster.kernel();
});
beforeEach(async () => {
  ({ own: clients, other } = await texting.listen());
});
afterEach(async () => {
  await expectReceived([other], []);
  for (const client of [...clients, other]) client.stop();
  closeSockets();
});
afterAll(async () => {
  await killAll();
  await texting.close();
  await proxy.close();
  await redis.kill();
  own.remove();
});

const say = (text: string) => texting.say(text);

test('Clients receive every event once while the connections that carry events are cut again and again', async () => {
  const said = Array.from({ length: 12 }, (_, index) => `pushed ${index}`);
  for (const text of said) {
    await witness.redis.commands.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await say(text);
  }
  await expectReceived(clients, said);
  // No client noticed anything.
  expect(clients.map((client) => client.entries())).toEqual([1, 1, 1, 1]);
});

test('Clients of a node that is cut off from Redis receive every event once', async () => {
  await say('before the cut');
  proxy.sever(true);
  for (const text of ['cut off', 'still cut off']) await say(text);
  await expectReceived(clients, ['before the cut', 'cut off', 'still cut off']);
  proxy.sever(false);
  await say('together again');
  await expectReceived(clients, ['before the cut', 'cut off', 'still cut off', 'together again']);
  expect(clients.map((client) => client.entries())).toEqual([1, 1, 1, 1]);
});

test('Clients receive every event once when Redis is killed in the middle of them and started again', async () => {
  const said = Array.from({ length: 40 }, (_, index) => `killed ${index}`);
  const saying = (async () => {
    for (const text of said) await say(text);
  })();
  await until(() => clients[0]!.texts.length > 5);
  await redis.kill();
  // Redis stays down until every client has received a text that was sent meanwhile.
  const heardBefore = clients.map(({ texts }) => texts.length);
  await until(() => clients.every(({ texts }, place) => texts.length > heardBefore[place]! + 1));
  redis = await startOwnRedis(redis.port);
  await saying;
  await expectReceived(clients, said);
});

test('Clients receive every event once when Redis comes back empty', async () => {
  await say('kept');
  await expectReceived(clients, ['kept']);
  await redis.kill();
  rmSync(join(directory, 'appendonlydir'), { recursive: true });
  await say('while it is away');
  redis = await startOwnRedis(redis.port);
  await say('afterwards');
  await expectReceived(clients, ['kept', 'while it is away', 'afterwards']);
});

test('Clients that connect while Redis is away receive the events they missed and the new ones', async () => {
  await say('before');
  await expectReceived(clients, ['before']);
  await redis.kill();
  const latecomer = await enter(texting.urls()[0]!, { token: KEY_ONE, after: 0 });
  const heard = () => latecomer.named('texting.message.new').map(({ args }) => (args[0] as { text: string }).text);
  await until(heard, (texts) => texts.at(-1) === 'before');
  await say('meanwhile');
  await until(heard, (texts) => texts.at(-1) === 'meanwhile');
  redis = await startOwnRedis(redis.port);
  await expectReceived(clients, ['before', 'meanwhile']);
});

test('Sockets are disconnected when their key is revoked, even while Redis is down', async () => {
  const { id } = (await witness.mysql('tel_companies').where({ name: 'Other Telecom' }).first('id')) as {
    id: CompanyId;
  };
  const old = await Promise.all(texting.urls().map((url) => enter(url, { token: KEY_TWO })));
  other.stop();
  await redis.kill();
  await rotateKey(witness, id);
  await until(() => old.every(({ ended }) => ended));
  redis = await startOwnRedis(redis.port);
});
