// How deploy/haproxy.cfg treats nodes that are slow, not ready, frozen or dead: real checks of a real HAProxy.
import { once } from 'node:events';
import type http from 'node:http';
import { until } from '../../support/until';
import { startHaproxy, startNode, type Haproxy, type Node } from './haproxy-process';

let nodes: [Node, Node];
let proxy: Haproxy;

beforeAll(async () => {
  nodes = [await startNode('node-1'), await startNode('node-2')];
  proxy = await startHaproxy(nodes);
});

beforeEach(async () => {
  for (const node of nodes) node.reset();
  await until(async () => new Set([await get('/'), await get('/')]).size === 2);
  for (const node of nodes) node.seen.length = 0;
  proxy.log.length = 0;
});

afterAll(async () => {
  await proxy?.stop();
  for (const node of nodes ?? []) await node.stop();
});

const get = async (path: string): Promise<string> => (await fetch(`${proxy.url}${path}`)).text();
const seen = (): string[] => nodes.flatMap((node) => node.seen);
/** Whether HAProxy has logged this about the node since the test began. */
const hasLogged = (name: string, what: string): boolean =>
  proxy.log.join('').includes(`Server nodes/${name} is ${what}`);

test('The load balancer cuts requests that hang on a frozen node, so that its clients move on', async () => {
  nodes[1].answer = (): void => undefined;
  const posts = [1, 2].map(async () => (await fetch(proxy.url, { method: 'POST', body: 'x' })).status);
  await until(() => seen().length === 2);
  nodes[1].health = 'hang';
  expect(new Set(await Promise.all(posts))).toEqual(new Set([200, 504]));
  // A request that HAProxy repeated would have arrived before a later one.
  await get('/later');
  expect(seen().filter((line) => line !== 'GET /later')).toHaveLength(2);
});

test('The load balancer cuts requests that hang on a node that refuses connections', async () => {
  nodes[1].answer = (): void => undefined;
  const posts = [1, 2].map(async () => (await fetch(proxy.url, { method: 'POST', body: 'x' })).status);
  await until(() => seen().length === 2);
  // The node no longer listens, and its open connections stay open.
  const isClosed = once(nodes[1].server.close(), 'close');
  expect(new Set(await Promise.all(posts))).toEqual(new Set([200, 504]));
  await isClosed;
  await nodes[1].start();
});

test('The load balancer gives a slow node no new requests, and lets it finish those it has', async () => {
  const held: http.ServerResponse[] = [];
  nodes[1].answer = (_, response) => void held.push(response);
  const answers = [get('/one'), get('/two')];
  await until(() => held.length === 1);
  nodes[1].health = 'hang';
  await until(() => hasLogged('node-2', 'DOWN'));
  expect(await Promise.all([get('/'), get('/'), get('/')])).toEqual(['node-1', 'node-1', 'node-1']);
  nodes[1].health = 200;
  for (const response of held) response.end('finished');
  expect((await Promise.all(answers)).toSorted()).toEqual(['finished', 'node-1']);
});

test('The load balancer cuts nothing of the last node, however slow, and goes on sending requests to it', async () => {
  const held: http.ServerResponse[] = [];
  nodes[1].answer = (_, response) => void held.push(response);
  const answers = [get('/one'), get('/two')];
  await until(() => held.length === 1);
  await nodes[0].stop();
  await until(() => hasLogged('node-1', 'DOWN'));
  nodes[1].health = 'hang';
  await until(() => hasLogged('node-2', 'DOWN'));
  // Longer than HAProxy waits for a frozen node while another one is up: each of the checks lasts three seconds.
  const { checks } = nodes[1];
  await until(() => nodes[1].checks >= checks + 7);
  nodes[1].answer = (_, response) => void response.end(nodes[1].name);
  expect(await Promise.all([get('/'), get('/'), get('/')])).toEqual(['node-2', 'node-2', 'node-2']);
  expect((await fetch(proxy.url, { method: 'POST', body: 'x' })).status).toBe(200);
  for (const response of held) response.end('finished');
  expect((await Promise.all(answers)).toSorted()).toEqual(['finished', 'node-1']);
  await nodes[0].start();
});

test('The load balancer sends requests to nodes that are not ready if there is no other', async () => {
  for (const node of nodes) node.health = 503;
  await until(() => nodes.every(({ name }) => hasLogged(name, 'stopping')));
  expect(new Set([await get('/'), await get('/')])).toEqual(new Set(['node-1', 'node-2']));
  await until(() => proxy.log.join('').includes('nodes/node-1-anyway'));
});

test('The load balancer says in JSON that no node can be reached', async () => {
  for (const node of nodes) await node.stop();
  await until(async () => (await fetch(proxy.url)).status === 503);
  const reply = await fetch(`${proxy.url}/api/v1/messages`);
  expect(reply.headers.get('retry-after')).toBe('2');
  expect(await reply.json()).toMatchObject({ result: 'error', code: 'SERVICE_UNAVAILABLE' });
  expect(await (await fetch(`${proxy.url}/company`)).json()).toMatchObject({ type: 'about:blank', status: 503 });
  for (const node of nodes) await node.start();
});
