import type { Middleware } from 'koa';
import { productsOf } from '../../../src/products';
import { chatIn } from '../../support/kernel/parts';
import { until } from '../../support/until';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
const seen: string[] = [];
const watch: Middleware = (ctx, next) => {
  seen.push(`${ctx.method} ${ctx.path}`);
  return next();
};

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  node = await cluster.node({}, productsOf, [watch]);
});
afterAll(() => cluster.close());

test('A middleware that is added to the application sees a request of every route', async () => {
  const { body } = await node.call('/openapi.json');
  const paths = Object.entries(body.paths as Record<string, object>);
  const requests = paths.flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '1')] as const),
  );
  expect(requests.length).toBeGreaterThan(100);
  for (const prefix of ['/api/v1/', '/system/', '/ops/api/', '/webhooks/'])
    expect(requests.some(([, path]) => path.startsWith(prefix))).toBe(true);
  seen.length = 0;
  for (const [method, path] of requests) await node.call(path, { method });
  expect(seen).toEqual(requests.map((request) => request.join(' ')));
});

describe('The poll fast path', () => {
  let on: TestNode;
  let off: TestNode;
  let headers: Record<string, string>;

  beforeAll(async () => {
    [on, off] = await Promise.all([
      cluster.node({ POLL_FAST_PATH: 'on' }, productsOf, [watch]),
      cluster.node({ POLL_FAST_PATH: 'off' }, productsOf, [watch]),
    ]);
    headers = { ...(await on.basic('member@example.com')), 'X-Request-Id': 'the-same-id' };
  });

  const poll = (at: TestNode, queue_id: string, more: Record<string, string> = {}) =>
    at.call('/api/v1/events', { query: { queue_id, last_event_id: '-1', ...more }, headers });

  /** Registers a queue, and polls it until the node has everything in memory. */
  async function warmQueue(at: TestNode): Promise<string> {
    const { body } = await at.call('/api/v1/register', { form: { event_types: '["message"]' }, headers });
    for (let polls = 0; polls < 3; polls += 1) await poll(at, body.queue_id as string, { dont_block: 'true' });
    return body.queue_id as string;
  }

  const say = (content: string) =>
    on.call('/api/v1/messages', { form: { type: 'stream', to: 'test', topic: 'polls', content }, headers });

  test('The poll fast path alone goes before the application, and POLL_FAST_PATH=off sends polls through it', async () => {
    const polled = async (at: TestNode) => {
      seen.length = 0;
      await warmQueue(at);
      return seen.filter((request) => request.endsWith('/events')).length;
    };
    expect(await polled(on)).toBeLessThan(3);
    expect(await polled(off)).toBe(3);
  });

  interface Case {
    /** Happens before the poll. */
    readonly before?: (at: TestNode) => Promise<unknown>;
    /** Answers a poll that waits. */
    readonly meanwhile?: (at: TestNode, queue_id: string) => Promise<unknown>;
    readonly more?: Record<string, string>;
  }

  async function answerOf(at: TestNode, { before, meanwhile, more }: Case) {
    const queue = await warmQueue(at);
    await before?.(at);
    seen.length = 0;
    const answer = poll(at, queue, more);
    if (meanwhile) await until(() => chatIn(at).polls.waiting === 1);
    await meanwhile?.(at, queue);
    const { status, body, text, headers: given } = await answer;
    const isFast = !seen.includes('GET /api/v1/events');
    // Message ids may differ in length.
    const { date: _, 'content-length': length, ...others } = Object.fromEntries(given);
    expect(Number(length)).toBe(Buffer.byteLength(text));
    const events = body.events as { message: { content: string } }[] | undefined;
    return { isFast, status, headers: others, contents: events?.map(({ message }) => message.content.slice(0, 50)) };
  }

  /** More than is sent at once, and the node has all of it. */
  async function several(at: TestNode): Promise<void> {
    const queue = await warmQueue(at);
    for (let sent = 0; sent < 3; sent += 1) await say('ü'.repeat(5000));
    await until(async () => (await poll(at, queue, { dont_block: 'true' })).body.events.length === 3);
  }

  test.each<[string, Case]>([
    ['without events', { more: { dont_block: 'true' } }],
    ['with an event', { meanwhile: () => say('Grüße aus Köln “☃” \u{1F600}') }],
    ['that is sent in pieces', { before: several }],
    [
      'about a deleted queue',
      {
        meanwhile: (at, queue_id) => at.call('/api/v1/events', { method: 'DELETE', form: { queue_id }, headers }),
      },
    ],
  ])('An answer %s has the same status and headers from the fast path as from the application', async (_, which) => {
    const fast = await answerOf(on, which);
    const ordinary = await answerOf(off, which);
    expect(fast).toEqual({ ...ordinary, isFast: true });
    expect(ordinary.isFast).toBe(false);
    expect(Object.keys(fast.headers)).toEqual(
      expect.arrayContaining(['content-security-policy', 'access-control-allow-origin', 'x-request-id']),
    );
  });
});
