import { spawn, type ChildProcess } from 'node:child_process';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { until } from '../../../support/until';
import { callNamed, callsOf, STEPS, type Made, type Reply, type Zulip } from './zulip-js-calls';

// Loaded again, because it replaces FormData when it is loaded.
const zulip = loadFresh<Zulip>(require.resolve('zulip-js'));

/** Calls that do not succeed. There is none, and the list must stay empty. */
const EXPECTED_FAILURES: readonly string[] = [];

let cluster: Cluster;
let nodes: TestNode[];
const children: ChildProcess[] = [];

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  nodes = [await cluster.node(), await cluster.node()];
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await cluster.close();
});

const clientAt = ({ url: realm }: TestNode, name = 'owner') =>
  zulip({ realm, username: `${name}@example.com`, password: 'demo' });

test('The test steps cover every resource call of the zulip-js package', async () => {
  const known = new Set(callsOf(await clientAt(nodes[0]!)));
  expect(new Set(STEPS.map(({ call }) => call))).toEqual(known);
});

test('Every zulip-js call succeeds while requests alternate between two nodes', async () => {
  const clients = await Promise.all(nodes.map((node) => clientAt(node)));
  const failed = new Map<string, unknown>();
  for (const round of [0, 1]) {
    const made: Made = { tag: `${round}`, streamId: 0, messageId: 0, queueId: '' };
    for (const [at, { call, params, keep }] of STEPS.entries()) {
      const client = clients[(round + at) % 2]!;
      const reply: Reply = await callNamed(client, call)(params?.(made));
      if (reply['result'] === 'success') keep?.(reply, made);
      else failed.set(call, reply);
    }
  }
  expect([...failed].filter(([call]) => !EXPECTED_FAILURES.includes(call))).toEqual([]);
  expect([...failed.keys()].sort()).toEqual([...EXPECTED_FAILURES].sort());
});

test('Calls that a program makes with callEndpoint of zulip-js succeed', async () => {
  const client = await clientAt(nodes[1]!);
  expect(await client.callEndpoint('/users/me')).toMatchObject({ result: 'success', email: 'owner@example.com' });
  expect(await client.callEndpoint('users/me/subscriptions', 'GET', { include_subscribers: true })).toMatchObject({
    result: 'success',
  });
});

/** Prints each event on a line, forever: the package's loop cannot be ended from within. */
const LISTENER = `
  const [realm, username, types] = process.argv.slice(1);
  require('zulip-js')({ realm, username, password: 'demo' }).then((client) =>
    client.callOnEachEvent((event) => console.log(JSON.stringify(event)), JSON.parse(types)));
`;

test('The callOnEachEvent loop gets each event once and in order, whichever node published it', async () => {
  const listener = spawn(
    process.execPath,
    ['-e', LISTENER, nodes[1]!.url, 'member@example.com', '["message","subscription"]'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  children.push(listener);
  let printed = '';
  listener.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()));
  const heard = () =>
    printed
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { id: number; message: { id: number; content: string } });
  const clients = await Promise.all(nodes.map((node) => clientAt(node, 'other')));
  const say = async (content: string, at: number) => {
    const sent = await callNamed(
      clients[at % 2]!,
      'messages.send',
    )({ type: 'private', to: 'member@example.com', content });
    return sent['id'];
  };
  // Until the first message arrives, the listener may not have registered yet.
  let first = 0;
  await until(async () => {
    await say(`hello ${(first += 1)}`, 0);
    return heard().length > 0;
  });
  const sent: unknown[] = [];
  for (let at = 0; at < 6; at += 1) sent.push(await say(`message ${at}`, at));

  const contents = () => heard().map(({ message }) => message.content);
  await until(contents, (all) => all.includes('message 5'));
  const ids = heard().map(({ message }) => message.id);
  expect(ids.slice(-6)).toEqual(sent);
  const order = heard().map(({ id }) => id);
  expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
});
