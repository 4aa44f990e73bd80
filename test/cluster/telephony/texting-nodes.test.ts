// Company events while nodes are killed, frozen and drained: every client gets each of them once, in order.
import { sweepAbsent } from '../../../src/telephony/commands/contacts/show-presence';
import { bearer } from '../../support/http/client';
import { KEY_ONE, KEY_TWO } from '../../support/telephony/companies';
import { killAll, startProcess } from '../../support/processes/processes';
import { closeSockets, enter } from '../../support/http/sockets';
import { expectReceived, openTextingCluster, type TextingCluster } from '../../support/telephony/texting-cluster';
import type { TextingClient } from '../../support/telephony/texting-client';
import { until } from '../../support/until';

let texting: TextingCluster;
let clients: TextingClient[] = [];

beforeAll(async () => {
  texting = await openTextingCluster({ PRESENCE_MS: '2000', PRESENCE_SWEEP_MS: '300' });
});
afterEach(() => {
  for (const client of clients) client.stop();
  clients = [];
  closeSockets();
});
afterAll(async () => {
  await killAll();
  await texting.close();
});

const textsOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index}`);

async function listen() {
  const { own, other } = await texting.listen();
  clients = [...own, other];
  return { own, other };
}

test('Clients of a node that is killed while texts come in go to the other node and miss nothing', async () => {
  const { own, other } = await listen();
  const said = textsOf('killed', 40);
  for (const [index, text] of said.entries()) {
    if (index === 15) texting.nodes[0]!.kill('SIGKILL');
    await texting.say(text);
  }
  await texting.say('only for the other company', KEY_TWO);
  await expectReceived(own, said);
  await expectReceived([other], ['only for the other company']);
  expect(own.some((client) => client.entries() > 1)).toBe(true);
});

test('Events of a node that dies between commit and publication are published by the other node', async () => {
  await texting.replace(0, { PAUSE_AT: 'before-publish:6' });
  const { own } = await listen();
  const said = textsOf('unpublished', 12);
  const saying = (async () => {
    for (const text of said) await texting.say(text);
  })();
  const [node] = texting.nodes;
  await node!.line(/paused at before-publish/);
  node!.kill('SIGKILL');
  await saying;
  await expectReceived(own, said);
});

test('A rolling restart loses no event', async () => {
  await texting.replace(0);
  const { own } = await listen();
  const said = textsOf('rolling', 30);
  for (const [index, text] of said.entries()) {
    if (index % 10 === 5) {
      const place = index > 10 ? 1 : 0;
      const old = texting.nodes[place]!;
      await texting.replace(place);
      old.kill('SIGTERM');
    }
    await texting.say(text);
  }
  await expectReceived(own, said);
});

test('Users of a killed node go offline by expiry, and the change is published once', async () => {
  const { cluster, nodes, urls } = texting;
  const workers = [1, 2].map((number) =>
    startProcess('workers/main.ts', { ...cluster.environment, NODE_NAME: `w${number}` }, ['presence-sweep']),
  );
  const statuses = async () => {
    const answer = await nodes[1]!.call('/statuses/v2/users', { headers: bearer(KEY_ONE) });
    return (answer.body as { main_status: { status: string } }[]).map(({ main_status }) => main_status.status).join();
  };
  // Users that earlier tests left online.
  await until(statuses, (shown) => shown === 'offline,offline');
  const watcher = await enter(urls()[1]!, { token: KEY_ONE });
  await enter(urls()[0]!, { token: KEY_ONE, user_email: 'member@example.com' });
  await until(statuses, (shown) => shown === 'available,available');
  nodes[0]!.kill('SIGKILL');
  await until(statuses, (shown) => shown === 'available,offline');
  await watcher.next('user_status_updated', 2);
  // Another check finds nothing new, and a later event arrives after all earlier ones.
  await sweepAbsent(await cluster.kernel(), cluster.config());
  await texting.say('later');
  await watcher.next('texting.message.new');
  const told = watcher.named('user_status_updated').map(({ args }) => (args[0] as { status: object }).status);
  expect(told).toEqual([
    { status: 'available', action_type: 'automatic' },
    { status: 'offline', action_type: 'automatic' },
  ]);
  for (const worker of workers) worker.kill('SIGTERM');
});

test('A new key disconnects the sockets of the old key on both nodes', async () => {
  await texting.replace(0);
  const old = await Promise.all(texting.urls().map((url) => enter(url, { token: KEY_ONE })));
  const other = await Promise.all(texting.urls().map((url) => enter(url, { token: KEY_TWO })));
  const command = ['key', 'rotate', '--company', 'Example Telecom'];
  expect(await startProcess('cli/main.ts', texting.cluster.environment, command).ended).toBe(0);
  await until(() => old.every(({ ended }) => ended));
  for (const socket of old) expect(socket.named('unauthorized')).toHaveLength(1);
  expect(other.some(({ ended }) => ended)).toBe(false);
});
