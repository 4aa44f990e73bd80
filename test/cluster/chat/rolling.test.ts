// Nodes are restarted one after the other, and freeze, under load and behind the load balancer we ship: clients do not
// notice.
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { listen, insistOnSaying } from '../../support/chat/listener';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { startMainNode, type MainNode } from '../../support/processes/main-node';
import { killAll } from '../../support/processes/processes';
import { until } from '../../support/until';
import { startHaproxy, type Haproxy } from '../balancers/haproxy-process';

/** npm run faults has eight clients. */
const NODES = process.env['FAULT_ROUNDS'] === undefined ? 2 : 8;

let cluster: Cluster;
let nodes: MainNode[];
let proxy: Haproxy;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', EVENTS_RATE_LIMIT: 'off', DRAIN_NOTICE_MS: '2500' });
  await cluster.seed();
  nodes = await Promise.all(Array.from({ length: NODES }, () => startMainNode(cluster.environment)));
  proxy = await startHaproxy(nodes, '/readyz');
});
afterAll(async () => {
  await killAll();
  await proxy?.stop();
  await cluster.close();
});

/** How often the load balancer has logged this about the node. */
const timesSaid = (at: number, state: 'UP' | 'DOWN') =>
  proxy.log.join('').split(`Server nodes/node-${at + 1} is ${state}`).length;

async function restart(at: number): Promise<void> {
  const old = nodes[at]!;
  const before = timesSaid(at, 'UP');
  old.kill('SIGTERM');
  expect(await old.ended).toBe(0);
  nodes[at] = await startMainNode(cluster.environment, old.port);
  // The load balancer checks once a second.
  await until(() => timesSaid(at, 'UP') > before);
}

/** Prints the events that the zulip-js package receives, forever. */
const ZULIP_JS = `
  require('zulip-js')({ realm: process.argv[1], username: 'guest@example.com', password: 'demo' }).then((client) =>
    client.callOnEachEvent(({ message }) => message && console.log(message.content), ['message']));
`;

/** Four clients receive all messages sent meanwhile: once, in order, and without registering again. */
async function expectAllHeard(during: () => Promise<void>): Promise<string[]> {
  const urls = [proxy.url];
  const sender = await nodes[0]!.basic('owner@example.com');
  const listeners = await Promise.all(
    ['member', 'other', 'member', 'other'].map(async (name, at) =>
      listen({ urls: () => urls, headers: await nodes[0]!.basic(`${name}@example.com`), isStream: at >= 2 }),
    ),
  );
  const sent: string[] = [];
  let isOver = false;
  const load = (async () => {
    for (let at = 0; !isOver; at += 1) {
      sent.push(`message ${at}`);
      await insistOnSaying(urls, sender, { to: 'test', content: `message ${at}` });
      await wait(20);
    }
  })();
  await during();
  isOver = true;
  await load;
  for (const each of listeners) {
    await until(
      () => each.heard.length,
      (count) => count >= sent.length,
    );
    await each.stop();
    const { heard, problems } = each;
    expect({ heard, problems, registrations: each.registrations() }).toEqual({
      heard: sent,
      problems: [],
      registrations: 1,
    });
  }
  return sent;
}

test('During a rolling restart of all nodes every client receives every message once and in order', async () => {
  const listener = spawn(process.execPath, ['-e', ZULIP_JS, proxy.url], { stdio: ['ignore', 'pipe', 'ignore'] });
  let printed = '';
  listener.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()));
  const sent = await expectAllHeard(async () => {
    await until(() => printed.includes('message'));
    for (const at of nodes.keys()) await restart(at);
  });
  expect(sent.length).toBeGreaterThan(50);
  // It sleeps a second between polls, and started in the middle.
  await until(
    () => printed,
    (text) => text.includes(`${sent.at(-1)}\n`),
  );
  listener.kill('SIGKILL');
  const lines = printed.trimEnd().split('\n');
  expect(lines).toEqual(sent.slice(sent.indexOf(lines[0]!)));
});

test('A frozen node is taken out of service, its clients continue elsewhere, and it comes back', async () => {
  const [downs, ups] = [timesSaid(0, 'DOWN'), timesSaid(0, 'UP')];
  await expectAllHeard(async () => {
    nodes[0]!.kill('SIGSTOP');
    await until(() => timesSaid(0, 'DOWN') > downs);
    nodes[0]!.kill('SIGCONT');
    await until(() => timesSaid(0, 'UP') > ups);
  });
});
