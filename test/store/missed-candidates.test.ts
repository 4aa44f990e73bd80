import type { RealmId } from '../../src/chat/model/organisation/realm';
import { TRAITS } from '../../src/chat/model/messages/message';
import type { StreamMessage } from '../../src/chat/model/missed/missed-rules';
import type { UserId } from '../../src/chat/model/users/user';
import { subscribersAfter, subscribersOf, type SubscriberPage } from '../../src/chat/store/missed/missed-candidates';
import type { Kernel } from '../../src/kernel/kernel';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { keepStatistics, rowsRead } from '../support/kernel/rows-read';

const PEOPLE = 3000;
const GENERALLY = '{"enable_stream_email_notifications":true}';

let cluster: Cluster;
let kernel: Kernel;
let realmId: RealmId;
let streamId: number;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  // One connection: the server counts what a session reads.
  kernel = await cluster.kernel({ MYSQL_CONNECTIONS: '1', SWEEP_INTERVAL_MS: '600000' });
  const { mysql } = kernel;
  ({ id: realmId } = (await mysql('chat_realms').first('id')) as { id: RealmId });
  ({ id: streamId } = (await mysql('chat_streams').where({ name: 'general' }).first('id')) as { id: number });
  await mysql.raw(
    'INSERT INTO chat_users (realm_id, email, email_key, full_name, short_name, role, settings, key_hash, key_sealed, ' +
      "joined_at) SELECT ?, CONCAT('p', seq, '@example.com'), CONCAT('p', seq, '@example.com'), CONCAT('P', seq), 'p', " +
      "'member', IF(seq = 1, ?, '{}'), SHA2(seq, 256), '', NOW(3) FROM " +
      `seq_1_to_${PEOPLE}; INSERT INTO chat_subscriptions (recipient_id, user_id, from_id, created_at, notify_email) ` +
      "SELECT ?, id, 1, NOW(3), IF(full_name = 'P2', 1, NULL) FROM chat_users WHERE short_name = 'p'",
    [realmId, GENERALLY, streamId],
  );
  await keepStatistics(kernel, ['chat_users', 'chat_subscriptions', 'chat_push_subscriptions']);
});
afterAll(() => cluster.close());

const said = (traits: number): StreamMessage[] => [
  { id: 1, recipientId: streamId, topicId: 1, senderId: 1, sentAt: 0, traits },
];

test('Who is told of a message is found without looking at all subscribers of its stream', async () => {
  const { mysql } = kernel;
  const found = await subscribersOf(mysql, realmId, said(0));
  const names = await mysql('chat_users').whereIn(
    'id',
    found.map(({ userId }) => userId),
  );
  expect(names.map((each) => (each as { full_name: string }).full_name).sort()).toEqual(['P1', 'P2']);
  for (const traits of [0, TRAITS.wildcard]) {
    expect(await rowsRead(kernel, () => subscribersOf(mysql, realmId, said(traits)))).toBeLessThan(100);
  }
});

test('All subscribers of a stream are gone through page by page, and no page looks at more than its own', async () => {
  const { mysql } = kernel;
  const PAGE = 500;
  const seen: number[] = [];
  let pages = 0;
  for (let after: UserId | undefined = 0 as UserId; after !== undefined; pages += 1) {
    const from: UserId = after;
    let page: SubscriberPage | undefined;
    const read = await rowsRead(kernel, async () => {
      page = await subscribersAfter(mysql, streamId, from, PAGE);
    });
    // Each subscription, its user, and the page once more as it is joined.
    expect(read).toBeLessThan(PAGE * 5);
    seen.push(...page!.people.map(({ userId }) => userId));
    after = page!.last;
  }
  const people = await mysql('chat_subscriptions as s')
    .join('chat_users as u', 'u.id', 's.user_id')
    .where({ recipient_id: streamId, 's.is_active': true, 'u.is_active': true })
    .whereNull('bot_type')
    .orderBy('user_id')
    .pluck('user_id');
  expect(seen).toEqual(people);
  expect(pages).toBeGreaterThan(PEOPLE / PAGE);
});
