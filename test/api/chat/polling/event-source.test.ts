import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let headers: Record<string, string>;
let proxy: Server;
let address: string;
const clients: ChildProcess[] = [];

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', HEARTBEAT_MIN_MS: '60000', HEARTBEAT_MAX_MS: '60000' });
  await cluster.seed();
  node = await cluster.node();
  headers = await node.basic('other@example.com');
  proxy = createServer(pass).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api/v1/events`;
});
afterEach(() => clients.splice(0).forEach((client) => client.kill('SIGKILL')));
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await cluster.close();
});

/** An EventSource cannot send credentials, so this proxy adds them. It also asks the client to reconnect at once. */
function pass(client: IncomingMessage, response: ServerResponse): void {
  const upstream = request(`${node.url}${client.url}`, { headers: { ...client.headers, ...headers } }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers).write('retry: 10\n\n');
    answer.on('error', () => response.destroy()).pipe(response);
  });
  upstream.on('error', () => response.destroy()).end();
  response.on('close', () => upstream.destroy());
}

/** The wait of an EventSource for its next connection does not keep the process alive; its input does. */
const SCRIPT = `process.stdin.resume().on('end', () => process.exit());
const source = new EventSource(process.argv[1]);
source.onmessage = ({ data }) => console.log(JSON.parse(data).message?.content);`;

/** Node's own EventSource, which is behind a flag. Returns the contents of the messages it has received. */
function openEventSource(query: Record<string, string>): () => string[] {
  const url = `${address}?${new URLSearchParams(query).toString()}`;
  const flags = ['--experimental-eventsource', '--no-warnings'];
  const client = spawn(process.execPath, [...flags, '-e', SCRIPT, url], { stdio: ['pipe', 'pipe', 'inherit'] });
  clients.push(client);
  let printed = '';
  client.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return () => printed.split('\n').filter((line) => line !== '');
}

const registerQueue = async (): Promise<string> =>
  (await node.call('/api/v1/register', { form: { event_types: '["message"]' }, headers, method: 'POST' })).body
    .queue_id;
const send = (content: string) =>
  node.call('/api/v1/messages', { form: { type: 'stream', to: 'test', topic: 'events', content }, headers });

test('An EventSource whose address has last_event_id gets no event twice when it reconnects', async () => {
  const received = openEventSource({ queue_id: await registerQueue(), last_event_id: '-1' });
  await send('one');
  await send('two');
  await until(received, ({ length }) => length === 2);
  proxy.closeAllConnections();
  await send('three');
  await until(received, (contents) => contents.includes('three'));
  expect(received()).toEqual(['one', 'two', 'three']);
});

test('A stream without a last event begins at the first event that its queue holds', async () => {
  const queue_id = await registerQueue();
  await send('first');
  await send('second');
  const all = openEventSource({ queue_id });
  await until(all, (contents) => contents.includes('second'));
  expect(all()).toEqual(['first', 'second']);
  const polled = await node.call('/api/v1/events', { query: { queue_id, last_event_id: '-1' }, headers });
  await node.call('/api/v1/events', {
    query: { queue_id, last_event_id: String(polled.body.events[0].id), dont_block: 'true' },
    headers,
  });
  const rest = openEventSource({ queue_id });
  await until(rest, (contents) => contents.includes('second'));
  expect(rest()).toEqual(['second']);
});
