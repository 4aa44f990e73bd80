import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { sendMessage } from '../../src/chat/commands/messages/send-message';
import { markAllRead, markStreamRead, markTopicRead } from '../../src/chat/commands/reading/mark-read';
import { updateFlags } from '../../src/chat/commands/reading/update-flags';
import type { RealmId } from '../../src/chat/model/organisation/realm';
import type { StreamId } from '../../src/chat/model/streams/stream';
import type { User } from '../../src/chat/model/users/user';
import { getMessages } from '../../src/chat/queries/reading/get-messages';
import { unreadMessages } from '../../src/chat/queries/reading/unread-messages';
import * as messages from '../../src/chat/store/messages/messages';
import * as topics from '../../src/chat/store/messages/topics';
import * as realms from '../../src/chat/store/organisation/realms';
import * as receptions from '../../src/chat/store/streams/receptions';
import * as streams from '../../src/chat/store/streams/streams';
import * as subscriptions from '../../src/chat/store/streams/subscriptions';
import * as people from '../../src/chat/store/users/people';
import * as users from '../../src/chat/store/users/users';
import type { Kernel } from '../../src/kernel/kernel';
import { gatherSnapshot } from '../../src/kernel/mysql/snapshot';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { chatOf } from '../support/kernel/parts';
import { startWorkers } from '../support/kernel/workers';

let cluster: Cluster;
let kernel: Kernel;

beforeAll(async () => {
  cluster = await openCluster();
  kernel = await cluster.kernel();
  // Meanwhile exceptions are folded, as a worker does.
  await startWorkers(cluster, 'chat-read-marks');
});
afterAll(() => cluster.close());

const TOPICS = ['apples', 'pears'];

/** A row for each recipient, as on the real server. */
interface Row {
  readonly id: number;
  readonly place: StreamId | 'private';
  topic: string;
  isRead: boolean;
}

interface World {
  readonly realmId: RealmId;
  readonly people: User[];
  readonly streams: StreamId[];
  readonly heard: Set<StreamId>[];
  readonly rows: Map<number, Row>[];
}

async function makeWorld(): Promise<World> {
  const subdomain = randomBytes(6).toString('hex');
  const realmId = await realms.insert(kernel.mysql, { subdomain, name: 'Test', description: '' });
  const ids = [];
  for (const name of ['a', 'b', 'c']) {
    const account = { realmId, email: `${name}@example.com`, fullName: name, shortName: name, role: 'member' as const };
    const keyHash = randomBytes(32).toString('hex');
    const bare = { botType: null, botOwnerId: null, timezone: '', passwordHash: null, keyHash, keySealed: '' };
    ids.push(await users.insert(kernel.mysql, { ...account, ...bare }));
  }
  const made = [];
  for (const name of ['one', 'two']) {
    const flags = {
      isPrivate: false,
      isAnnouncementOnly: false,
      isHistoryPublic: true,
      isDefault: false,
      folderId: null,
    };
    made.push(
      ...(await streams.insertAll(kernel.mysql, [
        { realmId, name, description: '', renderedDescription: '', ...flags },
      ])),
    );
  }
  const found = await people.byIds(kernel.mysql, realmId, ids);
  found.sort((a, b) => a.id - b.id);
  return { realmId, people: found, streams: made, heard: ids.map(() => new Set()), rows: ids.map(() => new Map()) };
}

async function hear(world: World, who: number, stream: StreamId, isHeard: boolean): Promise<void> {
  if (world.heard[who]!.has(stream) === isHeard) return;
  const { id } = world.people[who]!;
  await kernel.transaction(async ({ db }) => {
    await streams.lockForAudience(db, [stream]);
    const lastMessageId = await receptions.lastMessageId(db, world.realmId);
    if (!isHeard) await receptions.close(db, { streamIds: [stream], userIds: [id], lastMessageId });
    else await subscriptions.insert(db, [{ recipientId: stream, userId: id, fromId: lastMessageId + 1, color: '' }]);
  });
  if (isHeard) world.heard[who]!.add(stream);
  else world.heard[who]!.delete(stream);
  if (!isHeard) for (const row of world.rows[who]!.values()) if (row.place === stream) row.isRead = true;
}

async function send(world: World, who: number, to: number, step: Step): Promise<void> {
  const stream = world.streams[to];
  const [topic, by] = [TOPICS[step.topic]!, world.people[who]!];
  const client = step.isHuman ? 'website' : 'ZulipPython';
  const where = stream ? { type: 'stream', to: `[${stream}]`, topic } : { type: 'private', to: `[${by.id}]` };
  const { id } = await sendMessage(chatOf(kernel), by, { ...where, content: 'x', client });
  for (const [index, rows] of world.rows.entries()) {
    const isReceived = stream ? world.heard[index]!.has(stream) : index === who;
    const isRead = index === who && step.isHuman;
    if (isReceived) rows.set(id, { id, place: stream ?? 'private', topic: stream ? topic : '', isRead });
  }
}

async function moveOne(world: World, pick: number, topic: string): Promise<void> {
  const all = [...new Set(world.rows.flatMap((rows) => [...rows.values()].filter((row) => row.place !== 'private')))];
  const { id, place } = all[pick % Math.max(all.length, 1)] ?? {};
  if (id === undefined) return;
  const topicId = await topics.ensure(kernel.mysql, place as StreamId, topic);
  await kernel.transaction(async ({ db }) => {
    const [message] = await messages.byIds(db, world.realmId, [id]);
    await topics.move(db, message!, [id], { topic, topicId });
  });
  for (const rows of world.rows) if (rows.has(id)) rows.get(id)!.topic = topic;
}

interface Step {
  readonly kind: 'send' | 'hear' | 'leave' | 'all' | 'stream' | 'topic' | 'read' | 'unread' | 'move';
  readonly who: number;
  readonly place: number;
  readonly topic: number;
  readonly picks: number[];
  readonly isHuman: boolean;
}

function markRows(world: World, who: number, isMeant: (row: Row) => boolean): void {
  for (const row of world.rows[who]!.values()) if (isMeant(row)) row.isRead = true;
}

async function flag(world: World, { who, picks, kind }: Step): Promise<void> {
  const all = [...world.rows[who]!.values()];
  const chosen = [...new Set(picks.flatMap((pick) => (all.length > 0 ? [all[pick % all.length]!] : [])))];
  if (chosen.length === 0) return;
  const operation = kind === 'read' ? 'add' : 'remove';
  const messageIds = chosen.map(({ id }) => id);
  await updateFlags(kernel.transaction, world.people[who]!, { messageIds, operation, flag: 'read' });
  for (const row of chosen) row.isRead = kind === 'read';
}

async function take(world: World, step: Step): Promise<void> {
  const { who, kind } = step;
  const by = world.people[who]!;
  const stream = world.streams[step.place % 2]!;
  const topic = TOPICS[step.topic]!;
  if (kind === 'send') return send(world, who, step.place, step);
  if (kind === 'hear' || kind === 'leave') return hear(world, who, stream, kind === 'hear');
  if (kind === 'read' || kind === 'unread') return flag(world, step);
  if (kind === 'move') return moveOne(world, step.picks[0] ?? 0, topic);
  if (kind === 'all') {
    await markAllRead(kernel, by);
    return markRows(world, who, () => true);
  }
  if (kind === 'stream') {
    await markStreamRead(kernel, by, stream);
    return markRows(world, who, ({ place }) => place === stream);
  }
  const isMeant = (row: Row) => row.place === stream && row.topic === topic;
  if (![...world.rows[who]!.values()].some(isMeant)) return;
  await markTopicRead(kernel, by, stream, topic);
  markRows(world, who, isMeant);
}

async function check(world: World): Promise<void> {
  for (const [index, by] of world.people.entries()) {
    const rows = [...world.rows[index]!.values()];
    const around = { anchor: 1e16, before: 1000, after: 0, wantsHtml: true, computesAvatars: true, limitBytes: 8e6 };
    const read = async (narrow: { operator: 'is'; operand: string; negated: boolean }[]) =>
      (await getMessages(kernel.mysql, by, { ...around, narrow }))['messages'] as { id: number; flags: string[] }[];
    const seen = await read([]);
    expect(seen.map(({ id, flags }) => [id, flags.includes('read')])).toEqual(rows.map((row) => [row.id, row.isRead]));
    const unread = rows.filter(({ isRead }) => !isRead);
    const found = await read([{ operator: 'is', operand: 'unread', negated: false }]);
    expect(found.map(({ id }) => id)).toEqual(unread.map(({ id }) => id));
    const first = await getMessages(kernel.mysql, by, { ...around, anchor: undefined, narrow: [] });
    expect(first['anchor']).toBe(unread[0]?.id ?? 1e16);
    const told = await gatherSnapshot(kernel.mysql, (read) => unreadMessages(read, by));
    const present = unread.filter(({ place }) => place === 'private' || world.heard[index]!.has(place));
    const ids = [...told.streams, ...told.pms].flatMap((each) => each.unread_message_ids);
    expect(ids.sort((a, b) => a - b)).toEqual(present.map(({ id }) => id));
    expect(told.count).toBe(present.length);
  }
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('send' as const) },
    { weight: 5, arbitrary: fc.constantFrom('read' as const, 'unread' as const) },
    { weight: 2, arbitrary: fc.constantFrom('hear' as const, 'hear' as const, 'leave' as const) },
    { weight: 4, arbitrary: fc.constant('topic' as const) },
    { weight: 2, arbitrary: fc.constantFrom('all' as const, 'stream' as const) },
    { weight: 4, arbitrary: fc.constant('move' as const) },
  ),
  who: fc.nat(2),
  place: fc.constantFrom(0, 0, 0, 1, 2),
  topic: fc.nat(1),
  picks: fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }),
  isHuman: fc.boolean(),
});

test('Read state kept in cursors equals the read state of a model with a row for each recipient', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
      const world = await makeWorld();
      for (const who of [0, 1, 2]) await hear(world, who, world.streams[0]!, true);
      await hear(world, 1, world.streams[1]!, true);
      const quiet = { kind: 'send' as const, place: 0, picks: [], isHuman: false };
      for (const topic of [0, 1, 0, 1, 1, 0]) await take(world, { ...quiet, who: topic, topic });
      for (const each of steps) await take(world, each);
      await check(world);
    }),
    { numRuns: Number(process.env['READ_STATE_RUNS'] ?? 12), endOnFailure: true },
  );
});
