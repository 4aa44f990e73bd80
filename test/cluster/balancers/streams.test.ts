// Event streams through deploy/haproxy.cfg and deploy/nginx.conf: passed on as they are written, for as long as they last.
import { readFileSync } from 'node:fs';
import { waitingTimes } from '../../../config/waiting-times';
import { openEventStream, type EventStream } from '../../support/chat/event-stream';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { chatIn } from '../../support/kernel/parts';
import { until } from '../../support/until';
import { CONFIG as HAPROXY_CONFIG, startHaproxy } from './haproxy-process';
import { CONFIG as NGINX_CONFIG, startNginx } from './nginx-process';

const BALANCERS = { HAProxy: startHaproxy, nginx: startNginx };

describe.each(Object.keys(BALANCERS) as (keyof typeof BALANCERS)[])('Event streams through %s', (name) => {
  let cluster: Cluster;
  let nodes: [TestNode, TestNode];
  let balancer: { readonly url: string; stop(): Promise<void> };
  let headers: Record<string, string>;
  const open: EventStream[] = [];

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off', HEARTBEAT_MIN_MS: '1000', HEARTBEAT_MAX_MS: '1500' });
    await cluster.seed();
    nodes = [await cluster.node(), await cluster.node()];
    balancer = await BALANCERS[name](nodes, '/readyz');
    headers = await nodes[0].basic('other@example.com');
  });
  afterEach(() => open.splice(0).forEach((each) => each.close()));
  afterAll(async () => {
    await balancer?.stop();
    await cluster.close();
  });

  async function follow(queue_id: string, more: Record<string, string> = {}): Promise<EventStream> {
    const stream = await openEventStream(balancer.url, { queue_id }, { ...headers, ...more });
    open.push(stream);
    return stream;
  }

  async function register(): Promise<string> {
    const form = { event_types: '["message"]' };
    return (await nodes[0].call('/api/v1/register', { form, headers, method: 'POST' })).body.queue_id;
  }

  const send = (content: string) =>
    nodes[0].call('/api/v1/messages', { form: { type: 'stream', to: 'test', topic: 'balanced', content }, headers });
  const contents = ({ events }: EventStream): string[] =>
    events.filter(({ type }) => type === 'message').map(({ message }) => message.content);
  const holder = () => nodes.find((node) => chatIn(node).polls.waiting === 1);

  test(`${name} passes each event and each heartbeat on at once, and leaves the stream open`, async () => {
    const stream = await follow(await register());
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    for (const content of ['first', 'second', 'third']) {
      await send(content);
      // Nothing follows that could push it through a buffer; a heartbeat is the smallest event.
      await until(() => contents(stream).includes(content));
      const { length } = stream.events;
      await until(() => stream.events.slice(length).some(({ type }) => type === 'heartbeat'));
    }
    expect([contents(stream), stream.isOver()]).toEqual([['first', 'second', 'third'], false]);
  });

  test(`A node behind ${name} notices that the client of a stream has left`, async () => {
    const stream = await follow(await register());
    await until(() => holder() !== undefined);
    stream.close();
    await until(() => holder() === undefined);
  });

  test(`A stream through ${name} whose node drains says when to come back, and continues on another node`, async () => {
    const queue_id = await register();
    const stream = await follow(queue_id);
    await until(() => holder() !== undefined);
    await send('before');
    await until(() => contents(stream).length === 1);
    const leaving = holder()!;
    await leaving.close();
    await until(() => stream.isOver());
    expect(stream.text()).toMatch(/retry: \d+\n\n$/);
    const staying = nodes.find((node) => node !== leaving)!;
    const again = async (): Promise<EventStream | undefined> => {
      const next = await follow(queue_id, { 'Last-Event-ID': String(stream.events.at(-1)!.id) }).catch(() => undefined);
      return next?.status === 200 ? next : undefined;
    };
    const next = (await until(again, (found) => found !== undefined))!;
    const form = { type: 'stream', to: 'test', topic: 'balanced', content: 'after' };
    await staying.call('/api/v1/messages', { form, headers });
    await until(() => contents(next).length === 1);
    expect(contents(next)).toEqual(['after']);
  });
});

test('The balancers allow a longer silence than there is between two heartbeats', () => {
  const [haproxy, nginx] = [readFileSync(HAPROXY_CONFIG, 'utf8'), readFileSync(NGINX_CONFIG, 'utf8')];
  const timeouts = [
    /^ {2}timeout client (\d+)s$/m.exec(haproxy),
    /^ {2}timeout server (\d+)s$/m.exec(haproxy),
    /^ {4}proxy_read_timeout (\d+)s;$/m.exec(nginx),
    /^ {4}proxy_send_timeout (\d+)s;$/m.exec(nginx),
  ];
  for (const found of timeouts)
    expect(Number(found?.[1]) * 1000).toBeGreaterThan(1.5 * waitingTimes.heartbeatMaxMs.fallback);
});
