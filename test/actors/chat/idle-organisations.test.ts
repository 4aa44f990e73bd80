import { OpenRealms } from '../../../src/chat/actors/recent-events/open-realms';
import { pollQueue } from '../../../src/chat/commands/events/poll-queue';
import { dropQueue, registerQueue } from '../../../src/chat/commands/events/event-queues';
import { sendMessage } from '../../../src/chat/commands/messages/send-message';
import { realmTenant } from '../../../src/chat/model/organisation/realm';
import type { User } from '../../../src/chat/model/users/user';
import type { Chat } from '../../../src/chat/parts';
import { getRealm } from '../../../src/chat/queries/organisation/find-realm';
import * as users from '../../../src/chat/store/users/users';
import { eventChannel } from '../../../src/kernel/event-log/event-log';
import { channelName } from '../../../src/kernel/redis/channel';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { chatOf } from '../../support/kernel/parts';
import { standStill } from '../../support/processes/stand-still';
import { until } from '../../support/until';

/** Longer than a request takes to start waiting, even on a slow machine. */
const IDLE_MS = 1000;
const TIMES = { expiryMs: 600_000, heartbeatMinMs: 60_000, heartbeatMaxMs: 90_000 };

let cluster: Cluster;
let chat: Chat;
/** The chat of another node, which never closes an organisation here. */
let other: Chat;
let by: User;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  const parts = chatOf(await cluster.kernel());
  chat = { ...parts, polls: new OpenRealms({ ...parts, kernel: parts }, IDLE_MS) };
  other = chatOf(await cluster.kernel());
  const { id: realmId } = await getRealm(chat);
  by = (await users.byEmail(chat.mysql, realmId, 'member@example.com'))!;
});
afterAll(() => cluster.close());

const isClosed = () => chat.polls.size === 0;

async function register(): Promise<string> {
  const settings = cluster.config();
  const { queue_id: id } = await registerQueue(chat, by, {
    filters: {
      eventTypes: ['message'],
      narrow: [],
      allPublicStreams: false,
      wantsHtml: false,
      computesAvatars: true,
      includeSubscribers: false,
    },
    fetchTypes: [],
    expiryMs: TIMES.expiryMs,
    settings,
    party: { caller: String(by.id), address: '127.0.0.1', isGone: () => false },
    publicUrl: 'http://127.0.0.1',
  });
  return id as string;
}

async function poll(queueId: string, lastEventId: number, dontBlock = true) {
  const { signal } = new AbortController();
  const events = await pollQueue({ chat, by }, { queueId, lastEventId, dontBlock }, TIMES, () => signal);
  return events.map((event) => JSON.parse(event) as { id: number; message: { content: string } });
}

const send = (content: string) =>
  sendMessage(other, by, { type: 'private', to: JSON.stringify([by.id]), content, client: 'test' });

const head = async () => (await other.polls.open(by.realmId)).recentEvents.headInRedis();

/** Sends a message and waits until it is in the log. */
async function publish(content: string): Promise<void> {
  const before = await head();
  await send(content);
  await until(async () => (await head()) > before);
}

async function subscriptions(): Promise<number> {
  const names = [eventChannel(realmTenant(by.realmId)), `queues:${realmTenant(by.realmId)}`];
  const counts = await chat.redis.commands.pubsub('NUMSUB', ...names.map((name) => channelName(chat.namespace, name)));
  return counts.filter((_, index) => index % 2 === 1).reduce<number>((sum, count) => sum + Number(count), 0);
}

test('An organisation that nobody polls is closed with its timers and subscriptions', async () => {
  const before = await subscriptions();
  const polls = await chat.polls.open(by.realmId);
  const compare = jest.spyOn(polls.recentEvents, 'compare');
  expect(polls.isOpen).toBe(true);
  expect(await subscriptions()).toBe(before + 2);
  await until(isClosed);
  await until(async () => (await subscriptions()) === before);
  compare.mockClear();
  // An open log is compared twice in this time.
  const witness = jest.spyOn((await other.polls.open(by.realmId)).recentEvents, 'compare');
  await until(() => witness.mock.calls.length >= 2);
  witness.mockRestore();
  expect(polls.isOpen).toBe(false);
  expect(chat.polls.getOpen(by.realmId)).toBeUndefined();
  expect(compare).not.toHaveBeenCalled();
});

test('An organisation stays open while a poll waits, and that poll is answered', async () => {
  const id = await register();
  const waiting = poll(id, -1, false);
  await until(() => chat.polls.waiting === 1);
  const elsewhere = chatOf(await cluster.kernel());
  // Meanwhile other organisations without polls are opened and closed, one after the other.
  for (let closed = 0; closed < 3; closed += 1) {
    const witness = new OpenRealms({ ...elsewhere, kernel: elsewhere }, IDLE_MS);
    await witness.open(by.realmId);
    await until(() => witness.size === 0);
  }
  expect(chat.polls.size).toBe(1);
  await publish('to a poll that waits');
  expect((await waiting).map(({ message }) => message.content)).toEqual(['to a poll that waits']);
});

test('A client that comes back after its organisation was closed misses no event and gets none twice', async () => {
  const id = await register();
  await publish('before');
  const [first] = await poll(id, -1);
  expect(first!.message.content).toBe('before');
  await until(isClosed);
  await publish('meanwhile');
  const found = await poll(id, first!.id);
  expect(found.map(({ message }) => message.content)).toEqual(['meanwhile']);
  const waiting = poll(id, found[0]!.id, false);
  await publish('after');
  expect((await waiting).map(({ message }) => message.content)).toEqual(['after']);
});

test('A queue that ended on another node while its organisation was closed here is gone', async () => {
  const id = await register();
  expect(await poll(id, -1)).toEqual([]);
  await until(isClosed);
  await dropQueue(other, by, id);
  await expect(poll(id, -1)).rejects.toThrow(`Bad event queue id: ${id}`);
});

test('A poll whose organisation is being opened when the drain begins is answered with nothing', async () => {
  const queueId = await register();
  const leaving = chatOf(await cluster.kernel());
  const { lifecycle } = leaving;
  const asked = { queueId, lastEventId: -1, dontBlock: false };
  const events = pollQueue({ chat: leaving, by }, asked, TIMES, () => lifecycle.draining);
  // Like the HTTP server, the drain waits for the current requests.
  lifecycle.on('listeners', 'the poll', () => events.then(() => {}));
  void lifecycle.drain();
  // The drain closes the organisation before any response from Redis is read.
  standStill(50);
  expect(await events).toEqual([]);
});
