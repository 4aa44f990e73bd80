import { setTimeout as wait } from 'node:timers/promises';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { applyEvent, comparable, STATE_TYPES, type State } from './client-state';

let cluster: Cluster;
let nodes: TestNode[];
const people: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  nodes = [await cluster.node(), await cluster.node()];
  for (const name of ['owner', 'member', 'other']) people[name] = await nodes[0]!.basic(`${name}@example.com`);
});
afterAll(() => cluster.close());

type Fields = Record<string, string>;
let lastId = 1;
/** By message: clients know it for the messages that they show. */
const streamOf = new Map<number, string>();
const some = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

async function call(who: string, method: string, path: string, form: Fields): Promise<Record<string, never>> {
  const { status, body, headers } = await some(nodes).call(`/api/v1${path}`, { method, form, headers: people[who]! });
  if (status === 503 && headers.has('retry-after')) {
    // A busy machine refuses some concurrent requests with Retry-After, which clients should follow.
    await wait(Number(headers.get('retry-after')) * 1000);
    return call(who, method, path, form);
  }
  if (status >= 500) throw new Error(JSON.stringify(body));
  if (path === '/messages' && body.id !== undefined) {
    lastId = body.id;
    if (form['type'] === 'stream') streamOf.set(lastId, form['to']!);
  }
  return body;
}

const register = async () =>
  (await call('member', 'POST', '/register', {
    event_types: JSON.stringify(STATE_TYPES),
    include_subscribers: 'true',
  })) as unknown as State & { queue_id: string };

const NAMES = ['general', 'test', 'races 1', 'races 2', 'races 3', 'races 4'];
const PRINCIPALS = ['member@example.com', 'other@example.com', 'owner@example.com'];

const recentIds = () => JSON.stringify([lastId - some([0, 1, 2, 3])].map((id) => Math.max(1, id)));

/** Some may be refused, such as muting what is already muted: that changes nothing. */
const WRITES: readonly (() => Promise<unknown>)[] = [
  () =>
    call('owner', 'POST', '/users/me/subscriptions', {
      subscriptions: JSON.stringify([{ name: some(NAMES) }, { name: some(NAMES) }]),
      principals: JSON.stringify([some(PRINCIPALS)]),
    }),
  () =>
    call('owner', 'DELETE', '/users/me/subscriptions', {
      subscriptions: JSON.stringify([some(NAMES.slice(0, 2))]),
      principals: JSON.stringify([some(PRINCIPALS)]),
    }),
  () => call('member', 'DELETE', '/users/me/subscriptions', { subscriptions: JSON.stringify([some(NAMES)]) }),
  () =>
    call('member', 'PATCH', '/users/me/subscriptions/muted_topics', {
      stream: some(NAMES),
      topic: some(['a', 'b', 'c']),
      op: some(['add', 'remove']),
    }),
  () => call('owner', 'POST', '/messages', { type: 'stream', to: some(NAMES), topic: some(['a', 'b']), content: 'x' }),
  () => call('owner', 'POST', '/messages', { type: 'private', to: 'member@example.com', content: 'x' }),
  () => call('other', 'POST', '/messages', { type: 'private', to: 'owner@example.com', content: 'not for you' }),
  () => call('member', 'POST', '/mark_all_as_read', {}),
  () => call('member', 'POST', '/messages/flags', { messages: recentIds(), flag: 'read', op: some(['add', 'remove']) }),
  () => call('member', 'POST', '/users/me/alert_words', { alert_words: JSON.stringify([some(['red', 'blue'])]) }),
  () => call('member', 'DELETE', '/users/me/alert_words', { alert_words: JSON.stringify([some(['red', 'blue'])]) }),
  () => call('member', 'PATCH', '/settings', { full_name: JSON.stringify(`Max ${some(['Red', 'Blue'])}`) }),
  () =>
    call('other', 'POST', '/users/me/status', {
      away: some(['true', 'false']),
      status_text: some(['', 'out', 'at lunch']),
    }),
  async () => {
    const { subscriptions } = (await nodes[0]!.call('/api/v1/users/me/subscriptions', { headers: people['member']! }))
      .body;
    const { stream_id: id } = some(subscriptions as { stream_id: number }[]);
    const change = some([
      { property: 'color', value: some(['#111111', '#222222']) },
      { property: 'pin_to_top', value: some([true, false]) },
      { property: 'in_home_view', value: some([true, false]) },
    ]);
    await call('member', 'POST', '/users/me/subscriptions/properties', {
      subscription_data: JSON.stringify([{ stream_id: id, ...change }]),
    });
  },
];

/** All events up to the message with this text, applied to the initial state. */
async function follow(state: State & { queue_id: string }, words: string): Promise<State> {
  for (let last = -1; ;) {
    const query = { queue_id: state.queue_id, last_event_id: String(last) };
    const { body } = await some(nodes).call('/api/v1/events', { query, headers: people['member']! });
    expect(body).toMatchObject({ result: 'success' });
    for (const event of body.events) {
      expect(event.id).toBeGreaterThan(last);
      last = event.id;
      applyEvent(state, event);
      if (event.message?.content === words) return state;
    }
  }
}

test.each([1, 2, 3])(
  "A client's initial state and its events add up to the current state (round %i)",
  async (round) => {
    let isOver = false;
    const writers = [1, 2, 3].map(async () => {
      while (!isOver) await some(WRITES)();
    });
    const clients: Promise<State & { queue_id: string }>[] = [];
    for (let at = 0; at < 12; at += 1) {
      clients.push(register());
      await wait(Math.random() * 150);
    }
    const states = await Promise.all(clients);
    isOver = true;
    await Promise.all(writers);
    const words = `the end of round ${round}`;
    await call('owner', 'POST', '/messages', { type: 'private', to: 'member@example.com', content: words });

    const followed = await Promise.all(states.map((state) => follow(state, words)));
    const truth = comparable(await register(), streamOf);
    for (const state of followed) expect(comparable(state, streamOf)).toEqual(truth);
  },
);
