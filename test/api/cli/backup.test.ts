/** A backup that is taken while users write, restored into another database. */
import { cpSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../../src/kernel/backup/files';
import { callerOf, type Caller } from '../../support/chat/people';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { openTestDatabase, type TestDatabase } from '../../support/kernel/database';
import { ownDirectory } from '../../support/servers/services';
import { until } from '../../support/until';
import { cliOf, type Cli } from './run';

const own = ownDirectory();
const backup = join(own.path, 'backup');
const manifestOf = (directory: string) =>
  JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as Manifest;

let cluster: Cluster;
let cli: Cli;
let target: TestDatabase;
/** The environment of the restored server. It has the same Redis and namespace as before. */
let there: { DATABASE_URL: string };
let restored: TestNode;
let lastMessage: number;
let lastRow: number;
let queue: { queue_id: string; last_event_id: string };

async function say(caller: Caller, content: string): Promise<number> {
  const { body } = await caller.post('/messages', { type: 'stream', to: 'test', topic: 'backup', content });
  return (body as { id: number }).id;
}

async function newest(caller: Caller) {
  const { body } = await caller.get('/messages', { anchor: '10000000000000000', num_before: '100', num_after: '0' });
  return (body as { messages: { id: number; content: string }[] }).messages;
}

async function register(caller: Caller) {
  const { body } = await caller.post('/register', { event_types: '["message"]' });
  const { queue_id, last_event_id } = body as { queue_id: string; last_event_id: number };
  return { queue_id, last_event_id: String(last_event_id) };
}

const outboxRow = async ({ kernel }: TestNode): Promise<number> =>
  ((await kernel.mysql('kernel_outbox').max({ id: 'id' })) as [{ id: number }])[0].id;

const contents = ({ tables }: Manifest, but: string[] = []) =>
  Object.entries(tables)
    .filter(([name]) => !but.includes(name))
    .map(([name, { rows, bytes, sha256 }]) => [name, rows, bytes, sha256]);

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  cli = cliOf(cluster.environment);
  target = await openTestDatabase({ migrated: false });
  there = { DATABASE_URL: target.url };
});
afterAll(async () => {
  await cluster.close();
  await target.drop();
  own.remove();
});

test('A backup that is taken while messages are sent shows one moment, and holds no secret key', async () => {
  const node = await cluster.node();
  const caller = await callerOf(node, 'member@example.com');
  const file = new FormData();
  file.set('file', new Blob([Uint8Array.from({ length: 256 }, (_, byte) => byte)]), 'bytes.bin');
  expect(await caller.ask('/user_uploads', { method: 'POST', raw: file })).toMatchObject({ status: 200 });
  queue = await register(caller);
  for (let count = 0; count < 10; count += 1) await say(caller, `before ${count}`);
  const running = cli(['backup', backup, '--json']);
  let isOver = false;
  void running.finally(() => (isOver = true));
  for (let count = 0; !isOver || count < 20; count += 1) lastMessage = await say(caller, `line ${count}\u2028'\\ é 🎉`);
  const { code, err, json } = await running;
  expect({ code, json }).toMatchObject({ code: 0, json: { tables: expect.any(Number), binlog: null } });
  expect(err).toMatch(/^chat_messages: \d+ rows$/m);
  lastMessage = await say(caller, 'after the backup');
  await until(async () => {
    const { body } = await caller.get('/events', queue);
    const { events } = body as { events: { id: number; message?: { content: string } }[] };
    queue.last_event_id = String(events.at(-1)!.id);
    return events.some(({ message }) => message?.content === 'after the backup');
  });
  lastRow = await outboxRow(node);
  await node.kernel.lifecycle.drain();

  const text = readFileSync(join(backup, 'manifest.json'), 'utf8');
  expect(text).not.toContain(cluster.config().secretKey);
  expect(await cli(['backup', backup])).toMatchObject({ code: 1, err: expect.stringMatching(/is not empty$/m) });
});

test.each([
  [
    'with another SECRET_KEY',
    { SECRET_KEY: 'another-key-0123456789-abcdefghijkl' },
    /SECRET_KEY is not the one of the/,
  ],
  ['without its manifest', {}, /holds no backup that this release can read/],
  ['that is damaged', {}, /the backup of chat_messages (cannot be read|is damaged)/],
  ['of a newer release', {}, /newer release .* has no 20991231000000_fly/],
])('A backup %s is refused, and nothing is changed', async (what, environment, sentence) => {
  const copy = join(own.path, what.replaceAll(' ', '-'));
  cpSync(backup, copy, { recursive: true });
  const manifest = manifestOf(copy);
  if (what.startsWith('without')) writeFileSync(join(copy, 'manifest.json'), '{}');
  if (what.endsWith('damaged')) truncateSync(join(copy, 'chat_messages.jsonl.gz'), 100);
  if (what.endsWith('release')) {
    manifest.migrations.push('20991231000000_fly');
    writeFileSync(join(copy, 'manifest.json'), JSON.stringify(manifest));
  }
  const { code, err } = await cli(['restore', copy], { environment: { ...there, ...environment } });
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(sentence) });
});

test('A restore into an empty database brings back every row of every table, as of one moment', async () => {
  const { code, out } = await cli(['restore', backup, '--keep-numbers'], { environment: there });
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^restored \d+ rows of \d+ tables, as of 2/) });
  const again = join(own.path, 'again');
  expect(await cli(['backup', again], { environment: there })).toMatchObject({ code: 0 });
  expect(contents(manifestOf(again))).toEqual(contents(manifestOf(backup)));
  const kernel = await cluster.kernel(there);
  // The counter and the messages are in different tables: two different snapshots would not match.
  const [[row]] = (await kernel.mysql.raw(
    'SELECT COUNT(*) AS messages, (SELECT MAX(record_number) FROM kernel_counters) AS head FROM chat_messages',
  )) as [[{ messages: number; head: number }]];
  expect(row.messages).toBe(row.head);
  await kernel.lifecycle.drain();
});

test('A restore replaces a database with rows only if told to, and numbers continue after the last ones used', async () => {
  const refused = await cli(['restore', backup], { environment: there });
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/not empty \(\w+ has rows\): --replace/) });
  expect(await cli(['restore', backup, '--replace'], { environment: there })).toMatchObject({ code: 0 });
  restored = await cluster.node(there);
  await until(async () => (await restored.call('/readyz')).status === 200);
  const caller = await callerOf(restored, 'member@example.com');
  const before = await newest(caller);
  expect(before.some(({ content }) => content.includes('after the backup'))).toBe(false);

  // A client from before the restore waits, with a Redis from before the restore.
  const waiting = caller.get('/events', queue);
  const fresh = await register(caller);
  const id = await say(caller, 'restored');
  expect(id).toBeGreaterThan(lastMessage + 500_000);
  expect(await outboxRow(restored)).toBeGreaterThan(lastRow + 500_000);
  expect((await newest(caller)).at(-1)).toMatchObject({ id, content: '<p>restored</p>' });
  expect((await caller.get('/events', fresh)).body).toMatchObject({
    events: [{ message: { id, content: 'restored' } }],
  });
  const answer = (await waiting).body as { code?: string; events?: unknown[] };
  expect(answer.events ?? []).toEqual([]);
  expect((await caller.get('/events', queue)).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
});

test('A restore beside running nodes is refused, and an interrupted one leaves a database that no node serves', async () => {
  const refused = await cli(['restore', backup, '--replace'], { environment: there });
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/other connections use this database: stop/) });
  await restored.kernel.lifecycle.drain();
  const copy = join(own.path, 'broken');
  cpSync(backup, copy, { recursive: true });
  const { tables, ...rest } = manifestOf(copy);
  const tel = { ...tables['tel_companies']!, rows: 77 };
  writeFileSync(join(copy, 'manifest.json'), JSON.stringify({ ...rest, tables: { ...tables, tel_companies: tel } }));
  const broken = await cli(['restore', copy, '--replace'], { environment: there });
  expect(broken).toMatchObject({
    code: 2,
    err: expect.stringMatching(/--replace \(tel_companies has \d rows in place of 77\)/),
  });
  const { json } = await cli(['doctor', '--json'], { environment: there });
  expect(json.checks).toContainEqual(expect.objectContaining({ check: 'migrations', level: 'fail' }));
});
