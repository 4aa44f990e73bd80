// Scheduled messages and reminders whose workers and nodes are killed: each is sent once. `npm run faults` has a row of
// what was sent, lost and doubled for each test.
import { userOf, type TestUser } from '../../support/chat/chat';
import { chanceOf } from '../../support/chance';
import { listen, type Listener } from '../../support/chat/listener';
import { inSeconds, makeDue, remind, schedule, startScheduledWorker, waiting } from '../../support/chat/scheduled';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { startMainNode } from '../../support/processes/main-node';
import { killAll } from '../../support/processes/processes';
import { until } from '../../support/until';
import { count, noteFigures, type Kind } from '../redis/failover-load';

/** `npm run faults` has more of them. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? '1');
/** How often a worker is killed at each point, if it passes there so often: by `npm run faults` each time. */
const PASSES = ROUNDS === 1 ? 2 : Infinity;
/** At the same moment, as at a full hour. */
const RUSH = 30;

jest.setTimeout(900_000 + ROUNDS * 120_000);

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let streamId: number;
let target: number;
let listeners: Listener[];

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', EVENTS_RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member] = [await userOf(node, 'owner'), await userOf(node, 'member')];
  streamId = (await member.get('/get_stream_id', { stream: 'test' })).body['stream_id'];
  const said = { type: 'stream', to: 'test', topic: 'kills', content: 'remember this' };
  target = (await member.post('/messages', said)).body['id'];
  const headers = await node.basic(member.email);
  const one = { urls: () => [node.url], headers };
  listeners = [await listen(one), await listen({ ...one, isStream: true })];
});
afterEach(killAll);
afterAll(async () => {
  await Promise.all(listeners.map((listener) => listener.stop()));
  await cluster.close();
});

const nothingWaits = () =>
  until(
    () => waiting(node.kernel),
    (left) => left === 0,
  );

/** What reaches the author: each message by its words, each reminder by its note. */
const wordsIn = (heard: readonly string[], name: string) =>
  heard.flatMap((content) => new RegExp(`\\b${name} \\d+[.]\\d+\\b`).exec(content)?.[0] ?? []);
const stored = async (name: string) =>
  wordsIn(await node.kernel.mysql('chat_messages').orderBy('id').pluck('content'), name);

/** Asks for messages and reminders, which become due when `makeDue` is called unless they have a time. */
async function ask(kind: Counting, round: number, { messages, reminders }: Asked, at?: number): Promise<void> {
  const name = (place: number) => `${kind.name} ${round}.${place}`;
  const place = { streamId, topic: kind.name };
  const words = Array.from({ length: messages + reminders }, (_, index) => name(index));
  kind.sent += words.length;
  await Promise.all(
    words.map((word, index) =>
      index < messages ? schedule(index % 2 ? owner : member, place, word, at) : remind(member, target, word, at),
    ),
  );
  kind.acknowledged.push(...words);
}

interface Asked {
  readonly messages: number;
  readonly reminders: number;
}

type Counting = Omit<Kind, 'received'> & { readonly name: string };
const counting = (name: string): Counting => ({ name, sent: 0, acknowledged: [] });

/** Everything that was accepted is in the database and has reached each client, once. */
async function expectOnce(fault: string, kind: Counting, tookMs: readonly number[]): Promise<void> {
  const received = () => listeners.map(({ heard }) => wordsIn(heard, kind.name));
  await until(received, (all) => all.every((got) => got.length >= kind.acknowledged.length));
  const all = [await stored(kind.name), ...received()];
  const figures = count('scheduled messages and reminders', { ...kind, received: () => all });
  noteFigures(fault, { ...figures, seconds: Math.max(...tookMs) / 1000 });
  expect(figures).toMatchObject({ lost: 0, doubled: 0, received: kind.acknowledged.length });
  expect(listeners.flatMap(({ problems }) => problems)).toEqual([]);
}

test.each(['before-commit', 'after-commit', 'before-publish', 'before-finish'])(
  'A message and a reminder whose worker is killed at %s, one time after another, are sent once',
  async (point) => {
    const kind = counting(point);
    const took: number[] = [];
    let isPassed = false;
    for (let time = 1; !isPassed && time <= PASSES; time += 1) {
      await ask(kind, time, { messages: 1, reminders: 1 });
      const doomed = await startScheduledWorker(cluster.environment, { PAUSE_AT: `${point}:${time}` });
      await makeDue(node.kernel);
      const isPaused = () => doomed.output().includes(`paused at ${point}`);
      // Without a pause it has sent all, and there are no more such moments.
      await until(async () => isPaused() || (await waiting(node.kernel)) === 0);
      isPassed = !isPaused();
      const since = Date.now();
      doomed.kill('SIGKILL');
      await doomed.ended;
      await startScheduledWorker(cluster.environment);
      await nothingWaits();
      took.push(Date.now() - since);
      await killAll();
    }
    expect(took.length).toBeGreaterThan(1);
    await expectOnce(`Worker killed at ${point}`, kind, took);
  },
);

test('Messages and reminders of the same moment are each sent once while one worker after another is killed', async () => {
  const chance = chanceOf(7);
  const kind = counting('rush');
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await ask(kind, round, { messages: RUSH, reminders: RUSH / 2 });
    let [doomed, other] = await Promise.all([1, 2].map(() => startScheduledWorker(cluster.environment)));
    await makeDue(node.kernel);
    const since = Date.now();
    for (let left = await waiting(node.kernel); left > 0;) {
      const enough = left - Math.ceil(chance() * 12);
      left = await until(
        () => waiting(node.kernel),
        (now) => now <= Math.max(0, enough),
      );
      doomed!.kill('SIGKILL');
      [doomed, other] = [other, await startScheduledWorker(cluster.environment)];
    }
    took.push(Date.now() - since);
    await killAll();
  }
  await expectOnce('One worker after another killed', kind, took);
});

test.each([
  ['before-commit', 0],
  ['after-commit', 1],
])(
  'A message whose node is killed at %s, while it is asked for, is sent as often as it was stored',
  async (point, times) => {
    const name = `asked ${point}`;
    const doomed = await startMainNode(cluster.environment);
    const headers = await doomed.basic(member.email);
    doomed.kill('SIGTERM');
    await doomed.ended;
    const paused = await startMainNode({ ...cluster.environment, PAUSE_AT: point }, doomed.port);
    const form = {
      type: 'stream',
      to: String(streamId),
      topic: name,
      content: name,
      scheduled_delivery_timestamp: String(inSeconds(3600)),
    };
    const answer = paused.call('/api/v1/scheduled_messages', { form, headers }).catch(() => 'cut');
    await paused.line(new RegExp(`paused at ${point}`));
    paused.kill('SIGKILL');
    await Promise.all([answer, paused.ended]);
    await startScheduledWorker(cluster.environment);
    await schedule(member, { streamId, topic: name }, `${name}, then`);
    await makeDue(node.kernel);
    await nothingWaits();
    const sent = (await node.kernel.mysql('chat_messages').where({ topic: name }).pluck('content')) as string[];
    expect(sent.toSorted()).toEqual([...Array.from({ length: times }, () => name), `${name}, then`]);
  },
);

test.each(['before-commit', 'after-commit', 'before-finish'])(
  'The author is told once of a message that cannot be sent, though the worker is killed at %s',
  async (point) => {
    const restrict = (only: boolean) => owner.patch(`/streams/${streamId}`, { is_announcement_only: only });
    const told = async () => {
      const contents = (await node.kernel.mysql('chat_messages').pluck('content')) as string[];
      return contents.filter((content) => content.includes('was not sent because')).length;
    };
    const before = await told();
    let rounds = 0;
    for (let isPassed = false; !isPassed; rounds += 1) {
      const id = await schedule(member, { streamId, topic: 'refused' }, `refused ${point} ${rounds}`);
      await restrict(true);
      const doomed = await startScheduledWorker(cluster.environment, { PAUSE_AT: `${point}:${rounds + 1}` });
      await makeDue(node.kernel);
      const isPaused = () => doomed.output().includes(`paused at ${point}`);
      await until(async () => isPaused() || (await waiting(node.kernel)) === 0);
      isPassed = !isPaused();
      doomed.kill('SIGKILL');
      await doomed.ended;
      await startScheduledWorker(cluster.environment);
      await nothingWaits();
      expect(await told()).toBe(before + rounds + 1);
      expect((await member.del(`/scheduled_messages/${id}`)).status).toBe(200);
      await killAll();
      await restrict(false);
    }
    expect(rounds).toBeGreaterThan(1);
    expect(await node.kernel.mysql('chat_messages').where({ topic: 'refused' })).toEqual([]);
  },
);
