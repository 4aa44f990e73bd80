import type { Kernel } from '../../src/kernel/kernel';
import type { RealmId } from '../../src/chat/model/organisation/realm';
import type { UserId } from '../../src/chat/model/users/user';
import { openDeliveryWriter, type NewDelivery } from '../../src/chat/store/bots/deliveries';
import { openCluster, type Cluster } from '../support/kernel/cluster';

let cluster: Cluster;
let kernel: Kernel;
const BOT = 7 as UserId;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  kernel = await cluster.kernel();
});
afterAll(() => cluster.close());

const delivery = (dedupeKey: string, more: Partial<NewDelivery> = {}): NewDelivery => ({
  realmId: 1 as RealmId,
  botId: BOT,
  integration: 'json',
  dedupeKey,
  stream: 'test',
  topic: null,
  payload: '{}',
  event: '',
  notices: '[]',
  ...more,
});
const rows = () => kernel.mysql('chat_deliveries').where({ bot_id: BOT }).orderBy('id');
const keys = (): Promise<string[]> => rows().pluck('dedupe_key');

/** Writes them in one batch. */
function write(...all: readonly NewDelivery[]) {
  const writer = openDeliveryWriter(kernel.mysql);
  return Promise.allSettled(all.map((each) => writer.write(each)));
}

beforeEach(() => rows().delete());

test('Deliveries are stored in order with any content', async () => {
  const texts = [`it's "so" \\ \\' ?`, "'); DROP TABLE chat_deliveries; --", '\0\b\n\r\t\x1a%_', 'é € 😀', ''];
  await write(
    ...texts.map((text, at) => delivery(`a${at}`, { payload: text, notices: text, topic: text, event: text })),
  );
  const stored = (await rows()) as { payload: string; notices: string; topic: string; event: string }[];
  expect(stored.map(({ payload, notices, topic, event }) => [payload, notices, topic, event])).toEqual(
    texts.map((text) => [text, text, text, text]),
  );
});

test('A delivery that is stored already under its earlier key changes nothing, and others of its batch are stored', async () => {
  await write(delivery("w1:it's"), delivery('w1:b'));
  const before = await rows();
  await write(
    delivery("w2:it's", { earlierKey: "w1:it's", payload: '{"again": true}' }),
    delivery('w2:c', { earlierKey: 'w1:c' }),
    delivery('w2:b', { earlierKey: 'w1:b' }),
    delivery('w2:d'),
  );
  expect((await rows()).slice(0, 2)).toEqual(before);
  expect(await keys()).toEqual(["w1:it's", 'w1:b', 'w2:c', 'w2:d']);
});

test("The earlier key of one bot's delivery is not another bot's", async () => {
  await write(delivery('w1:a', { botId: 9 as UserId }), delivery('w2:a', { earlierKey: 'w1:a' }));
  expect(await keys()).toEqual(['w2:a']);
});

test('A dead letter that is delivered again waits again, under either key', async () => {
  await write(delivery('w1:a'), delivery('w1:b'));
  await rows().update({ state: 'failed', attempts: 5, error: 'why' });
  await write(delivery('w1:a'), delivery('w2:b', { earlierKey: 'w1:b' }));
  expect(await rows()).toMatchObject([
    { dedupe_key: 'w1:a', state: 'pending', attempts: 0, error: null },
    { dedupe_key: 'w1:b', state: 'pending', attempts: 0, error: null },
  ]);
});

test('A delivery that the database refuses fails alone', async () => {
  const ends = await write(
    delivery('a'),
    delivery('b', { topic: 'x'.repeat(100) }),
    delivery('c', { earlierKey: 'z' }),
  );
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await keys()).toEqual(['a', 'c']);
});
