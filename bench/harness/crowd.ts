/** An organisation large enough to measure: people with keys, and streams with subscribers. Created once per stage. */
import { createConnection, type Connection } from 'mysql2/promise';
import { emailKey } from '../../src/kernel/secrets/email-key';
import { openSecrets } from '../../src/kernel/secrets/secrets';
import type { Bench } from './stage';

export interface Person {
  readonly id: number;
  /** The Authorization header. */
  readonly authorization: string;
  /** The organisation's host, if there are several organisations. */
  readonly host?: string;
}

export interface Crowd {
  readonly realmId: number;
  readonly people: readonly Person[];
  /** The id of a stream with this name, to which so many people are subscribed, by default the first. */
  stream(name: string, subscribers: number, first?: number): Promise<number>;
  readonly database: Connection;
}

/** As many as the largest stream of any benchmark has. */
const PEOPLE = 10_000;
const ROWS_AT_ONCE = 1000;

const made = new WeakMap<Bench, Promise<Crowd>>();

export function openCrowd(bench: Bench): Promise<Crowd> {
  const known = made.get(bench) ?? makeCrowd(bench);
  made.set(bench, known);
  return known;
}

async function makeCrowd(bench: Bench): Promise<Crowd> {
  const database = await createConnection({ uri: bench.databaseUrl, multipleStatements: true });
  bench.signal.addEventListener('abort', () => database.destroy());
  database.on('error', () => {});
  const [[realm]] = (await database.query('SELECT id FROM chat_realms ORDER BY id LIMIT 1')) as unknown as [
    [{ id: number }],
  ];
  const people = await makePeople(bench, database, realm.id);
  return {
    realmId: realm.id,
    people,
    database,
    stream: (name, subscribers, first = 0) =>
      makeStream(database, realm.id, name, people.slice(first, first + subscribers)),
  };
}

/** Inserts rows of the same shape in batches. */
export async function insertRows(
  database: Connection,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const some = rows.slice(start, start + ROWS_AT_ONCE);
    await database.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`, [some]);
  }
}

async function makePeople(bench: Bench, database: Connection, realmId: number): Promise<Person[]> {
  const secrets = openSecrets(bench.environment['SECRET_KEY']!);
  const keyOf = (at: number) => String(at).padStart(32, 'k');
  const emailOf = (at: number) => `person${at}@example.com`;
  const joined = new Date();
  const all = Array.from({ length: PEOPLE }, (_, at) => at);
  await insertRows(
    database,
    'chat_users',
    [
      'realm_id',
      'email',
      'email_key',
      'full_name',
      'short_name',
      'role',
      'settings',
      'key_hash',
      'key_sealed',
      'joined_at',
    ],
    all.map((at) => {
      const key = keyOf(at);
      return [
        realmId,
        emailOf(at),
        emailKey(emailOf(at)),
        `Person ${at}`,
        'p',
        'member',
        '{}',
        secrets.lookup(key),
        secrets.encrypt(key),
        joined,
      ];
    }),
  );
  const [rows] = (await database.query('SELECT id FROM chat_users WHERE email LIKE ? ORDER BY id', [
    'person%@example.com',
  ])) as unknown as [{ id: number }[]];
  return rows.map(({ id }, at) => ({
    id,
    authorization: `Basic ${Buffer.from(`${emailOf(at)}:${keyOf(at)}`).toString('base64')}`,
  }));
}

async function makeStream(
  database: Connection,
  realmId: number,
  name: string,
  subscribers: readonly Person[],
): Promise<number> {
  const [known] = (await database.query('SELECT id FROM chat_streams WHERE name = ?', [name])) as unknown as [
    { id: number }[],
  ];
  if (known[0]) return known[0].id;
  const [{ insertId: id }] = (await database.query('INSERT INTO chat_recipients (realm_id) VALUES (?)', [
    realmId,
  ])) as unknown as [{ insertId: number }];
  await database.query(
    'INSERT INTO chat_streams (id, realm_id, name, rendered_description, created_at) VALUES (?, ?, ?, ?, NOW(3))',
    [id, realmId, name, ''],
  );
  const now = new Date();
  await insertRows(
    database,
    'chat_subscriptions',
    ['recipient_id', 'user_id', 'from_id', 'created_at'],
    subscribers.map((person) => [id, person.id, 1, now]),
  );
  return id;
}
