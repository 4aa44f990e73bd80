import type { Term } from '../../src/chat/model/reading/narrow';
import type { RealmId } from '../../src/chat/model/organisation/realm';
import type { User } from '../../src/chat/model/users/user';
import { markAllRead, markStreamRead, markTopicRead } from '../../src/chat/commands/reading/mark-read';
import { driversOf } from '../../src/chat/model/reading/narrow-drivers';
import { getMessages } from '../../src/chat/queries/reading/get-messages';
import { openNarrow } from '../../src/chat/queries/reading/match-narrow';
import { scanMessages } from '../../src/chat/queries/reading/scan-messages';
import { unreadMessages } from '../../src/chat/queries/reading/unread-messages';
import * as people from '../../src/chat/store/users/people';
import { lockCursor, moveCursor } from '../../src/chat/store/reading/search-index';
import type { Kernel } from '../../src/kernel/kernel';
import { gatherReads } from '../../src/kernel/mysql/read-packet';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { keepStatistics, rowsRead } from '../support/kernel/rows-read';

/** A hundred thousand messages in fifty streams; one user is subscribed to all of them, the other to two. */
const MESSAGES = 100_000;
const STREAMS = 50;
const CHUNK = 10_000;

let cluster: Cluster;
let kernel: Kernel;
let dense: User;
let sparse: User;
let sender: User;
let firstStream: number;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  // One connection: the server counts what a session reads.
  kernel = await cluster.kernel({ MYSQL_CONNECTIONS: '1', SWEEP_INTERVAL_MS: '600000' });
  const { mysql } = kernel;
  const { id: realmId } = (await mysql('chat_realms').first('id')) as { id: RealmId };
  const found = await people.byEmails(mysql, realmId, ['member@example.com', 'guest@example.com', 'other@example.com']);
  const byEmail = (name: string) => found.find(({ email }) => email.startsWith(name))!;
  [dense, sparse, sender] = [byEmail('member'), byEmail('guest'), byEmail('other')];
  await mysql('chat_subscriptions').delete();
  await mysql.raw(
    `INSERT INTO chat_recipients (realm_id) SELECT ? FROM seq_1_to_${STREAMS}; SET @first = LAST_INSERT_ID(); ` +
      'INSERT INTO chat_streams (id, realm_id, name, rendered_description, created_at) ' +
      `SELECT @first + seq - 1, ?, CONCAT('s', seq), '', NOW(3) FROM seq_1_to_${STREAMS}; ` +
      "INSERT INTO chat_topics (recipient_id, name) SELECT id, 't' FROM chat_streams WHERE id >= @first; " +
      'INSERT INTO chat_subscriptions (recipient_id, user_id, from_id, created_at) ' +
      'SELECT id, ?, 1, NOW(3) FROM chat_streams WHERE id >= @first; ' +
      'INSERT INTO chat_subscriptions (recipient_id, user_id, from_id, created_at) ' +
      'SELECT id, ?, 1, NOW(3) FROM chat_streams WHERE id IN (@first, @first + 1)',
    [realmId, realmId, dense.id, sparse.id],
  );
  const { id } = await mysql('chat_streams').where({ name: 's1' }).first('id');
  firstStream = id;
  for (let start = 0; start < MESSAGES; start += CHUNK) {
    // The last message in the sparse user's streams is old.
    const place = `? + IF(seq <= 2000, seq % 2, 2 + seq % ${STREAMS - 2})`;
    await mysql.raw(
      'INSERT INTO chat_messages (realm_id, id, recipient_id, topic_id, sender_id, topic, content, rendered, client, ' +
        `traits, sent_at) SELECT ?, q.seq, q.place, t.id, IF(q.seq % 100 = 0, ?, ?), 't', 'x', '<p>x</p>', 'c', ` +
        `IF(q.seq % 200 = 0, 1, 0), 0 FROM (SELECT seq, ${place} AS place FROM seq_${start + 1}_to_${start + CHUNK}) q ` +
        'JOIN chat_topics t ON t.recipient_id = q.place',
      [realmId, sender.id, dense.id, firstStream],
    );
  }
  await mysql.raw(
    'INSERT INTO chat_search (realm_id, word, message_id) ' +
      `SELECT ?, 'zebra', seq * 100 FROM seq_1_to_${MESSAGES / 100}; ` +
      'INSERT INTO chat_search (realm_id, word, message_id) ' +
      `SELECT ?, 'has:link', seq * 200 FROM seq_1_to_${MESSAGES / 200}; ` +
      "INSERT INTO kernel_counters (tenant, record_number) VALUES (CONCAT('chat:', ?), ?) " +
      'ON DUPLICATE KEY UPDATE record_number = VALUES(record_number)',
    [realmId, realmId, realmId, MESSAGES],
  );
  await lockCursor(mysql, realmId);
  await moveCursor(mysql, realmId, MESSAGES);
  await keepStatistics(kernel, ['chat_messages', 'chat_search', 'chat_subscriptions']);
});
afterAll(() => cluster.close());

const term = (operator: Term['operator'], operand: string, negated = false): Term => ({ operator, operand, negated });
const around = { before: 50, after: 50, wantsHtml: true, computesAvatars: true, limitBytes: 8e6 };
const NEWEST = 1e16;

describe('Rows read by a narrow', () => {
  const narrows: [string, Term[], number][] = [
    ['nothing', [], 6000],
    ['a stream', [term('stream', 's3')], 1600],
    ['a topic', [term('stream', 's3'), term('topic', 't')], 2000],
    ['a topic anywhere', [term('topic', 't')], 12_000],
    ['a sender', [term('sender', 'other@example.com')], 4000],
    ['private messages', [term('is', 'private')], 1500],
    ['stars', [term('is', 'starred')], 1500],
    ['mentions', [term('is', 'mentioned')], 1500],
    ['what is unread', [term('is', 'unread')], 12_000],
    ['links', [term('has', 'link')], 3500],
    ['home', [term('in', 'home')], 8000],
    ['all but a stream', [term('stream', 's3', true)], 8000],
    ['a word', [term('search', 'zebra')], 8000],
    ['public streams', [term('streams', 'public')], 12_000],
    ['a message', [term('id', '5000')], 1500],
    ['reactions', [term('has', 'reaction')], 1500],
    ['conversations with a person', [term('dm-including', 'other@example.com')], 1500],
    ['muted topics', [term('is', 'muted', true)], 8000],
    ['unresolved topics', [term('is', 'resolved', true)], 8000],
    ['followed topics', [term('is', 'followed')], 1500],
  ];
  test.each(narrows)('The narrow "%s" reads few rows at every anchor', async (_, narrow, most) => {
    for (const by of [dense, sparse]) {
      for (const anchor of [NEWEST, 1500, 50_000, 0]) {
        // To a guest it does not exist.
        if (by === sparse && narrow.some(({ operator }) => operator === 'stream')) continue;
        const read = await rowsRead(kernel, () => getMessages(kernel.mysql, by, { ...around, anchor, narrow }));
        expect([by.email, anchor, read <= most ? 'few' : read]).toEqual([by.email, anchor, 'few']);
      }
    }
  });

  test('Finding the first unread message reads few rows', async () => {
    for (const by of [dense, sparse]) {
      for (const narrow of [[], [term('topic', 't')], [term('is', 'private')]]) {
        const read = await rowsRead(kernel, () =>
          getMessages(kernel.mysql, by, { ...around, anchor: undefined, narrow }),
        );
        expect([by.email, narrow, read <= 25_000 ? 'few' : read]).toEqual([by.email, narrow, 'few']);
      }
    }
  });
});

describe('Narrow results', () => {
  test('A narrow by sender finds the same messages as a scan of all messages', async () => {
    const { mysql } = kernel;
    const expected = (await mysql('chat_messages')
      .where('id', '<=', 2000)
      .where({ sender_id: sender.id })
      .orderBy('id', 'desc')
      .limit(20)
      .pluck('id')) as number[];
    const narrow = [term('sender', 'other@example.com')];
    const { messages } = await getMessages(kernel.mysql, sparse, { ...around, anchor: NEWEST, before: 20, narrow });
    expect((messages as { id: number }[]).map(({ id }) => id)).toEqual(expected.reverse());
  });
});

test('A narrow that takes too long is stopped with advice to name a stream', async () => {
  const scope = await openNarrow(kernel.mysql, dense, [term('sender', 'owner@example.com'), term('in', 'home')]);
  const late = { ...scope, drivers: driversOf({ ...scope.narrow, tests: [] }, scope), deadline: 0 };
  const stretch = { direction: 'down' as const, start: MESSAGES, want: 10 };
  await expect(scanMessages(late, stretch)).rejects.toThrow('This narrow took too long: name a stream');
  expect(await scanMessages(scope, stretch)).toEqual([]);
});

describe('Marking messages as read', () => {
  test('Marking a topic, a stream or everything as read reads few rows, however much it covers', async () => {
    const before = await unreadMessages(gatherReads(kernel.mysql), dense);
    expect(before.count).toBe(50_000);
    const marks = [
      () => markTopicRead(kernel, dense, firstStream + 3, 't'),
      () => markStreamRead(kernel, dense, firstStream + 4),
      () => markAllRead(kernel, dense),
    ];
    for (const mark of marks) expect(await rowsRead(kernel, mark)).toBeLessThan(100);
    expect((await unreadMessages(gatherReads(kernel.mysql), dense)).count).toBe(0);
    expect(await rowsRead(kernel, () => unreadMessages(gatherReads(kernel.mysql), dense))).toBeLessThan(1000);
  });
});
