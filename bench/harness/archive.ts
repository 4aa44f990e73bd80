/** An organisation with history: a million messages in two hundred streams, and people subscribed to many or few. */
import type { Connection } from 'mysql2/promise';
import { insertRows, openCrowd } from './crowd';
import type { Bench } from './stage';

export interface Archive {
  readonly realmId: number;
  /** Subscribed to every stream. */
  readonly dense: number;
  /** Subscribed to two quiet streams, with one private conversation. */
  readonly sparse: number;
  /** Subscribed to every stream, with the last fifty thousand messages unread. */
  readonly behind: readonly number[];
  readonly streams: readonly number[];
  /** In the first stream. */
  readonly topicId: number;
}

const PEOPLE = 1000;
const STREAMS = 200;
const TOPICS = 40;
const MESSAGES = 1_000_000;
const UNREAD = 50_000;
const BEHIND = 300;

/** A statement that inserts millions of rows would keep them all in the log until it ends. */
const MESSAGES_AT_ONCE = 500_000;

const made = new WeakMap<Bench, Promise<Archive>>();

export function openArchive(bench: Bench): Promise<Archive> {
  const known = made.get(bench) ?? makeArchive(bench, 'archive', MESSAGES);
  made.set(bench, known);
  return known;
}

/** Creates an organisation with this name and number of messages. */
export async function makeArchive(bench: Bench, name: string, messages: number): Promise<Archive> {
  const { database } = await openCrowd(bench);
  const unread = Math.min(UNREAD, messages / 2);
  const realmId = await insert(
    database,
    "INSERT INTO chat_realms (subdomain, name, description, settings, created_at) VALUES (?, 'Archive', '', '{}', NOW(3))",
    [name],
  );
  const people = await makePeople(database, realmId);
  const [dense, sparse, ...rest] = people;
  const behind = rest.slice(0, BEHIND);
  const streams = await makeStreams(database, realmId);
  const quiet = streams.slice(-2);
  const talk = await insert(database, 'INSERT INTO chat_recipients (realm_id, members) VALUES (?, ?)', [
    realmId,
    `${dense},${sparse}`,
  ]);
  await subscribe(database, [dense!, ...behind], streams, messages - unread);
  await subscribe(database, [sparse!], quiet, messages);
  await subscribe(database, [dense!, sparse!], [talk], messages);
  const topicId = await makeTopics(database, streams);
  await makeMessages(database, { realmId, people, streams, quiet, talk, topicId, messages });
  await database.query('ANALYZE TABLE chat_messages, chat_search, chat_subscriptions, chat_users');
  // Leaves a thousand unread messages for the initial state of register.
  await database.query('UPDATE chat_subscriptions SET read_id = ? WHERE user_id = ?', [messages - 1000, dense]);
  return { realmId, dense: dense!, sparse: sparse!, behind, streams, topicId };
}

async function insert(database: Connection, sql: string, values: readonly unknown[] = []): Promise<number> {
  const [{ insertId }] = (await database.query(sql, [...values])) as unknown as [{ insertId: number }];
  return insertId;
}

async function makePeople(database: Connection, realmId: number): Promise<number[]> {
  const all = Array.from({ length: PEOPLE }, (_, at) => at);
  const columns = [
    'realm_id',
    'email',
    'full_name',
    'short_name',
    'role',
    'settings',
    'key_hash',
    'key_sealed',
    'joined_at',
  ];
  const joined = new Date();
  const rows = all.map((at) => [
    realmId,
    `archive${at}@example.com`,
    `Archive ${at}`,
    'a',
    'member',
    '{}',
    `a${realmId}x${at}`,
    'x',
    joined,
  ]);
  await insertRows(database, 'chat_users', columns, rows);
  const [ids] = (await database.query('SELECT id FROM chat_users WHERE realm_id = ? ORDER BY id', [
    realmId,
  ])) as unknown as [{ id: number }[]];
  return ids.map(({ id }) => id);
}

async function makeStreams(database: Connection, realmId: number): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < STREAMS; at += 1) {
    ids.push(await insert(database, 'INSERT INTO chat_recipients (realm_id) VALUES (?)', [realmId]));
  }
  const rows = ids.map((id, at) => [id, realmId, `archive ${at}`, '', new Date()]);
  await insertRows(database, 'chat_streams', ['id', 'realm_id', 'name', 'rendered_description', 'created_at'], rows);
  return ids;
}

async function subscribe(
  database: Connection,
  people: readonly number[],
  places: readonly number[],
  readId: number,
): Promise<void> {
  const now = new Date();
  const rows = people.flatMap((person) => places.map((place) => [place, person, 1, readId, now]));
  await insertRows(
    database,
    'chat_subscriptions',
    ['recipient_id', 'user_id', 'from_id', 'read_id', 'created_at'],
    rows,
  );
}

/** Returns the first topic's id; the others follow, stream by stream. */
async function makeTopics(database: Connection, streams: readonly number[]): Promise<number> {
  const rows = streams.flatMap((id) => Array.from({ length: TOPICS }, (_, at) => [id, `topic ${at}`]));
  await insertRows(database, 'chat_topics', ['recipient_id', 'name'], rows);
  const [[first]] = (await database.query('SELECT MIN(id) AS id FROM chat_topics WHERE recipient_id = ?', [
    streams[0],
  ])) as unknown as [[{ id: number }]];
  return first.id;
}

interface Making {
  readonly realmId: number;
  readonly people: readonly number[];
  readonly streams: readonly number[];
  readonly quiet: readonly number[];
  readonly talk: number;
  readonly topicId: number;
  readonly messages: number;
}

/** Two streams keep only every five-hundredth of their messages. Every thousandth message of all is private. */
async function makeMessages(database: Connection, making: Making): Promise<void> {
  const { realmId, people, streams, quiet, talk, topicId, messages } = making;
  const [first, person] = [streams[0]!, people[0]!];
  const place = `${first} + (seq * 7919) % ${STREAMS}`;
  const topic = `(seq DIV ${STREAMS}) % ${TOPICS}`;
  for (let from = 1; from <= messages; from += MESSAGES_AT_ONCE) {
    await database.query(
      'INSERT INTO chat_messages (realm_id, id, recipient_id, topic_id, sender_id, topic, content, rendered, client, traits, sent_at) ' +
        `SELECT ${realmId}, seq, ${place}, ${topicId} + ((seq * 7919) % ${STREAMS}) * ${TOPICS} + ${topic}, ` +
        `${person} + (seq * 31) % ${PEOPLE}, CONCAT('topic ', ${topic}), REPEAT('words of a message ', 10), ` +
        `REPEAT('words of a message ', 10), 'bench', IF(seq % 100 = 0, 1, 0), 1700000000 + seq DIV 10 ` +
        `FROM seq_${from}_to_${Math.min(from + MESSAGES_AT_ONCE - 1, messages)}`,
    );
  }
  await database.query('DELETE FROM chat_messages WHERE realm_id = ? AND recipient_id IN (?) AND id % 97 <> 0', [
    realmId,
    quiet,
  ]);
  await database.query(
    "UPDATE chat_messages SET recipient_id = ?, topic_id = NULL, topic = '' WHERE realm_id = ? AND id % 1000 = 1",
    [talk, realmId],
  );
  await database.query(
    `INSERT INTO chat_search (realm_id, word, message_id) SELECT ${realmId}, 'zebra', id FROM chat_messages WHERE realm_id = ${realmId} AND id % 100 = 50`,
  );
  await database.query(
    `INSERT INTO chat_search (realm_id, word, message_id) SELECT ${realmId}, 'has:link', id FROM chat_messages WHERE realm_id = ${realmId} AND id % 100 = 0`,
  );
  await database.query('INSERT INTO chat_search_cursors (realm_id, indexed_id) VALUES (?, ?)', [realmId, messages]);
  for (const [flag, remainder] of [
    [1, 3],
    [3, 7],
  ]) {
    await database.query(
      `INSERT INTO chat_flags (user_id, flag, message_id) SELECT u.id, ${flag}, m.id FROM chat_messages m JOIN chat_users u ` +
        `ON u.id IN (${people[0]}, ${people[1]}) WHERE m.realm_id = ${realmId} AND m.id % 1000 = ${remainder}`,
    );
  }
  await database.query(
    'INSERT INTO kernel_counters (tenant, record_number) VALUES (?, ?) ON DUPLICATE KEY UPDATE record_number = VALUES(record_number)',
    [`chat:${realmId}`, messages],
  );
}
