/** Text in statements: whatever it contains, it comes back unchanged and means nothing to the server. */
import { send } from '../../src/kernel/mysql/direct';
import { literal } from '../../src/kernel/mysql/literal';
import { runPacket } from '../../src/kernel/mysql/packet';
import { closeMysql, openMysql, type Database } from '../../src/kernel/mysql/pool';
import { openCluster, type Cluster } from '../support/kernel/cluster';

let cluster: Cluster;
let db: Database;

beforeAll(async () => {
  cluster = await openCluster();
  db = openMysql(cluster.config());
  await db.raw('CREATE TABLE texts_of_test (id INT PRIMARY KEY AUTO_INCREMENT, body MEDIUMTEXT NOT NULL)');
});
afterAll(async () => {
  await closeMysql(db);
  await cluster.close();
});

const everyByte = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('');
const HOSTILE = [
  '',
  "'",
  '\\',
  "\\'",
  "''",
  "'; DROP TABLE texts_of_test; -- ",
  "\\'; DROP TABLE texts_of_test; -- ",
  "\\\\' OR 1 = 1 -- ",
  '"; DROP TABLE texts_of_test; -- ',
  '/* */ -- # ` ? ?? :name %s \\n \\0 \\Z \\%',
  "$& $1 $$ $` $'",
  'one\ntwo\r\nthree\ttab\u001A\u0000end',
  everyByte,
  // Letters whose second byte is a backslash or a quote in other character sets.
  '\u00BF\u0027 \u00BF\u005C \u8868 \uFF07 \u02BC',
  '😀 \u{10FFFF} é \u0301',
  JSON.stringify({ 'a"b': ["c'd", 'e\\f', '\u001E'] }),
  "'".repeat(10_000) + '\\'.repeat(10_000),
];

test.each(HOSTILE.map((text, index) => [index, text]))(
  'Hostile text %i comes back from MySQL unchanged',
  async (_, text) => {
    const [row] = (await send(db, `SELECT ${literal(text)} AS body`, [])) as { body: string }[];
    expect(row!.body).toBe(text);
  },
);

test('Each hostile text in a packet of many is stored as its own row', async () => {
  const rows = HOSTILE.map((text) => `(${literal(text)})`).join(',');
  await runPacket(db, [`INSERT INTO texts_of_test (body) VALUES ${rows}`, 'SELECT 1'], []);
  const stored: { body: string }[] = await db('texts_of_test').orderBy('id').select('body');
  expect(stored.map(({ body }) => body)).toEqual(HOSTILE);
});

test('A lone surrogate in a literal becomes the replacement character', async () => {
  const [row] = (await send(db, `SELECT ${literal("\uD800'")} AS body`, [])) as { body: string }[];
  expect(row!.body).toBe("\uFFFD'");
});

test('Numbers and null are written as literals of their own kind', async () => {
  const [row] = (await send(db, `SELECT ${literal(-1.5)} AS a, ${literal(null)} AS b`, [])) as object[];
  expect(row).toEqual({ a: '-1.5', b: null });
});

test('Every connection uses utf8mb4 and backslash escapes, which literals rely on', async () => {
  const [row] = (await send(db, 'SELECT @@sql_mode AS mode, @@character_set_client AS letters', [])) as {
    mode: string;
    letters: string;
  }[];
  expect(row!.letters).toBe('utf8mb4');
  expect(row!.mode.split(',')).not.toContain('NO_BACKSLASH_ESCAPES');
});

test('A bound value is still bound, and a bound object never becomes part of the SQL', async () => {
  const [row] = (await send(db, "SELECT ? AS body, '\\?' AS mark", ["it's"])) as object[];
  expect(row).toEqual({ body: "it's", mark: '?' });
  const [none] = (await send(db, 'SELECT 1 AS found FROM DUAL WHERE ? = 1', [{ a: 1 }])) as object[];
  expect(none).toBeUndefined();
});
