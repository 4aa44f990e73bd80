import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { checkImports, layerOf, type SourceFile } from '../support/sources/architecture';
import { findFixedSleeps, TIMED } from '../support/sources/fixed-sleeps';
import { LONG, SHORT } from '../../scripts/lib/test/test-projects';
import { checkPrivateApi } from '../support/sources/private-api';

const root = join(__dirname, '../..');
const folders = ['config', 'src', 'workers', 'cli'];

function read(folder: string, ending = '.ts'): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending) && !path.endsWith('.d.ts'))
    .map((path) => join(folder, path))
    .map((path) => ({ path: relative('.', path), text: readFileSync(join(root, path), 'utf8') }));
}

const sources = folders.flatMap((folder) => read(folder));

test('Every source file lies in a known layer', () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.map(({ path }) => path).filter((path) => layerOf(path) === undefined)).toEqual([]);
});

test('Imports between layers follow the allowed directions', () => {
  expect(checkImports(sources)).toEqual([]);
});

test('The kernel keeps at most 16 files outside its folders', () => {
  const loose = sources.filter(({ path }) => /^src\/kernel\/[^/]+$/.test(path));
  expect(loose.length).toBeLessThanOrEqual(16);
});

test.each([
  ['a product reaching into the other', 'src/chat/commands/x.ts', "import { a } from '../../telephony/model/company';"],
  ['the kernel knowing a product', 'src/kernel/x.ts', "import type { User } from '../chat/model/user';"],
  ['the kernel reading the configuration', 'src/kernel/x.ts', "import { loadConfig } from '../../config';"],
  ['a store calling a command', 'src/chat/store/x.ts', "import { a } from '../commands/create-user';"],
  [
    'an entry point reaching past commands to a store',
    'src/chat/http/x.ts',
    "import * as users from '../store/users';",
  ],
  ['a command knowing HTTP', 'src/chat/commands/x.ts', "import { a } from '../http/users';"],
  ['a command knowing kernel HTTP', 'src/chat/commands/x.ts', "import { text } from '../../kernel/http/params';"],
  ['a worker knowing HTTP', 'src/chat/workers/x.ts', "import { a } from '../http/users';"],
  [
    'the worker process knowing a product',
    'workers/x.ts',
    "import { a } from '../src/chat/commands/users/create-user';",
  ],
  ['a model doing IO', 'src/chat/model/x.ts', "import * as users from '../store/users';"],
  ['a model with a clock', 'src/chat/model/x.ts', 'export const now = () => Date.now();'],
  ['koa outside the kernel', 'src/chat/http/x.ts', "import Koa from 'koa';"],
  ['ioredis outside the kernel', 'src/chat/actors/x.ts', "import { Redis } from 'ioredis';"],
  ['bullmq outside the jobs', 'src/chat/commands/x.ts', "import { Queue } from 'bullmq';"],
  ['nodemailer outside the kernel', 'src/chat/workers/x.ts', "import { createTransport } from 'nodemailer';"],
  ['knex outside stores', 'src/chat/commands/x.ts', "import type { Knex } from 'knex';"],
  ['sharp outside the process that decodes', 'src/chat/commands/x.ts', "import sharp from 'sharp';"],
  ['the environment read outside config', 'src/chat/model/x.ts', "const a = process.env['A'];"],
  ['a forbidden name', 'src/chat/model/string-utils.ts', ''],
  ['a default export', 'src/chat/model/x.ts', 'export default 1;'],
  ['a hash that MySQL 9 cannot make', 'src/chat/store/x.ts', "db.raw('SELECT Sha1(name) FROM chat_realms');"],
  ['another such hash, in a migration', 'src/kernel/mysql/migrations/x.ts', 'const key = `MD5 (${column})`;'],
  ['joined signals', 'src/kernel/x.ts', 'const either = AbortSignal.any([gone, closing]);'],
  ['a bare timeout', 'src/chat/workers/x.ts', 'await send({ signal: AbortSignal.timeout(500) });'],
  ['a fetch', 'src/telephony/carriers/x.ts', 'const response = await fetch(url, { signal });'],
  ['a function that outlives its request', 'src/kernel/http/x.ts', 'this.header = (name) => ctx.get(name);'],
])('A planted violation of the architecture is found: %s', (_, path, text) => {
  expect(checkImports([...sources, { path, text }])).toHaveLength(1);
});

/** Where a product is put together, its parts include the kernel's. */
const PARTS = ['src/chat/parts.ts', 'src/telephony/parts.ts'];

test('No kernel is made by spreading another for each call', () => {
  const spread = sources.filter(({ text }) => /\{\s*\.\.\.kernel\s*[,}]/.test(text));
  expect(spread.map(({ path }) => path).sort()).toEqual(PARTS);
});

/** The lines that declare a parameter or a member of one of these types, as `path: line`. */
const declaring = (type: string) =>
  sources.flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => new RegExp(`\\b\\w+\\??: (${type})\\b(?!\\[)`).test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );

/** Here a product is opened, or its routes and workers are collected. */
const PRODUCT_ROOTS = /^src\/(chat|telephony)\/(parts|index|http\/mounts|workers|workers\/workers)\.ts:/;

test('Functions take the parts that they use, not the whole kernel or product', () => {
  expect(declaring('Kernel').length).toBeLessThan(40);
  expect(declaring('Chat|Telephony').filter((each) => !PRODUCT_ROOTS.test(each))).toEqual([]);
});

test('No part of the kernel depends on the kernel that is built from it', () => {
  const imports = new Map(
    sources.map(({ path, text }) => [
      path,
      [...text.matchAll(/from '(\.[^']+)'/g)].map(([, to]) => `${join(dirname(path), to!)}.ts`),
    ]),
  );
  const parts = new Set<string>();
  const visit = (path: string) => {
    for (const to of imports.get(path) ?? []) if (!parts.has(to)) visit((parts.add(to), to));
  };
  visit('src/kernel/kernel.ts');
  expect(parts.size).toBeGreaterThan(20);
  expect([...parts].filter((path) => imports.get(path)?.includes('src/kernel/kernel.ts'))).toEqual([]);
});

test('Outside the kernel, actors are spoken to by send and request alone', () => {
  const others = sources.filter(({ path }) => !path.startsWith('src/kernel/'));
  const wakes = others.filter(({ text }) =>
    /\b(?:wakeOf|wakeLater|wakeSwept|wakeOne|BurstWakes)\b|\.wake\(/.test(text),
  );
  expect(wakes.map(({ path }) => path)).toEqual([]);
});

test('The code uses only the documented API of libraries and of Node', () => {
  const all = [...sources, ...read('bench'), ...read('simulators')];
  expect(checkPrivateApi(all)).toEqual([]);
});

test.each([
  ['the head of a response', 'response._header = head;'],
  ['whether a head was sent', 'response._headerSent = true;'],
  ['the response of a socket', 'if (!socket._httpMessage) socket.destroy();'],
  ['the response of a socket, in an interface', 'interface Answering { _httpMessage?: object }'],
  ['the callback of the HTTP parser', 'own.onIncoming = take;'],
  ['the HTTP parser of a socket', 'const own = socket.parser;'],
  ['the files of knex', "import Dialect from 'knex/lib/dialects/mysql2/index.js';"],
  ['a query of the client of knex', 'await pool._query(connection, query);'],
  ['the symbols of pino', 'const stream = log[pino.symbols.streamSym];'],
  ['the cells of a histogram', 'const { hashMap } = histogram;'],
  ['the packets that wait in engine.io', 'const packets = socket.conn.writeBuffer;'],
  ['the transport of engine.io', 'socket.conn.transport.close();'],
  ['the sending of commands in ioredis', 'redis.sendCommand = quietly;'],
  ['the slots of ioredis', 'shards.refreshSlotsCache(() => {});'],
  ['the kind of an ioredis', 'if (redis.isCluster) return;'],
  ['the state of ioredis', 'return redis.condition?.protocol === 3;'],
  ['the keys of BullMQ by their usual prefix', "redis.llen('bull:mail:wait');"],
  ['the keys of BullMQ by our prefix', 'redis.lindex(`${prefix}:${queue}:wait`, -1);'],
  ['any field that begins with an underscore', 'const pool = client._pool;'],
  ['any such field by its name', "const pool = client['_pool'];"],
  ['a field behind a changed type', 'const { _pool } = client as unknown as { _pool: Pool };'],
  ['the files of any package', "import { a } from 'some-package/dist/inside';"],
])('The check finds a use of private API: %s', (_, text) => {
  expect(checkPrivateApi([{ path: 'src/kernel/x.ts', text }])).not.toEqual([]);
});

test.each([
  ['a comment', '/** Not redis.sendCommand. */ const a = 1; // socket._httpMessage'],
  ['the id of a wire object', 'const id = placed._id;'],
  ['a changed type without private fields', 'const rows = (await query) as unknown as Row[];'],
  ['a documented file of a package', "import hljs from 'highlight.js/lib/common';"],
  ['a file of ours', "import { a } from '../lib/x';"],
])('The check accepts code that uses no private API: %s', (_, text) => {
  expect(checkPrivateApi([{ path: 'src/kernel/x.ts', text }])).toEqual([]);
});

test('No test waits for a guessed time, except where the time itself is the subject', () => {
  const found = findFixedSleeps(read('test').filter(({ path }) => path !== 'test/unit/architecture.test.ts'));
  const paths = new Set(found.map((each) => each.split(':')[0]!));
  expect(found.filter((each) => TIMED[each.split(':')[0]!] === undefined)).toEqual([]);
  expect(Object.keys(TIMED).filter((path) => !paths.has(path))).toEqual([]);
});

/** A port that was free a moment ago may be taken by now: ports.js then starts the server again on another. */
const GUESS = /\bfreePort\b|close\(\(\) => resolve\(\w*port\w*\)\)/i;
/** `npm start` and its like cannot be restarted on other ports. */
const RESERVE = [
  'scripts/lib/ports.js',
  'scripts/lib/servers/private-servers.js',
  'test/start/started-stack.ts',
  'web/pictures/take.js',
];

test('No code guesses a free port for a server', () => {
  const all = [...read('test'), ...read('bench'), ...read('scripts', '.js'), ...read('web/pictures', '.js')];
  const others = all.filter(({ path }) => path !== 'test/unit/architecture.test.ts');
  expect(others.filter(({ text }) => GUESS.test(text)).map(({ path }) => path)).toEqual([]);
  const reserve = others.filter(({ text }) => /\breservePorts\b/.test(text)).map(({ path }) => path);
  expect(reserve.sort()).toEqual(RESERVE);
});

test.each([
  ['a timer', 'await new Promise((resolve) => setTimeout(resolve, 1500));'],
  ['a timer with a value', 'new Promise((resolve) => setTimeout(() => resolve({ done: true }), 500));'],
  ['a constant', 'const LOAD_MS = 1_500;\nawait sleep(LOAD_MS);'],
  ['a multiple', 'const IDLE_MS = 300;\nawait wait(4 * IDLE_MS);'],
  ['a default', "const FREEZE_MS = Number(process.env['X'] ?? 4000);\nawait wait(FREEZE_MS);"],
  ['an alias', "import { setTimeout as rest } from 'node:timers/promises';\nawait rest(200);"],
])('The check finds a fixed sleep: %s', (_, text) => {
  expect(findFixedSleeps([{ path: 'test/x.test.ts', text }])).toHaveLength(1);
});

test.each([
  ['a short interval', 'const EVERY_MS = 50;\nawait wait(EVERY_MS);'],
  ['a limit', "setTimeout(() => reject(new Error('late')), 10_000);"],
  ['the timeout of a test', 'jest.setTimeout(60_000);'],
  ['what a server advises', 'await wait(Number(advice) * 1000);'],
])('The check accepts a wait that is no fixed sleep: %s', (_, text) => {
  expect(findFixedSleeps([{ path: 'test/x.test.ts', text }])).toEqual([]);
});

test('Every test file belongs to a run', () => {
  const files = read('test').filter(({ path }) => path.endsWith('.test.ts'));
  const folders = new Set(files.map(({ path }) => path.split('/')[1]));
  expect(folders).toEqual(new Set([...SHORT, ...LONG]));
});

const MAX_FILES = 25;
/** Folders that may hold more files than that. */
const CROWDED: readonly [folders: RegExp, reason: string][] = [
  [/^src\/chat\/integrations\/\w+\/payloads$/, 'recorded payloads, which tests read by the name of their file'],
  [/^docs\/adr$/, 'one file for each decision, in the order of their numbers'],
];

function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > MAX_FILES).map(([folder]) => folder);
}

test('No folder holds more files than a person can survey', () => {
  const paths = ['src', 'web', 'test', 'scripts', 'bench', 'docs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(relative(root, entry.parentPath), entry.name)),
  );
  const crowded = crowdedFolders(paths);
  expect(crowded.filter((folder) => !CROWDED.some(([folders]) => folders.test(folder)))).toEqual([]);
  const many = Array.from({ length: MAX_FILES + 1 }, (_, index) => `test/x/${index}.test.ts`);
  expect(crowdedFolders(many)).toEqual(['test/x']);
  expect(crowdedFolders(many.slice(1))).toEqual([]);
});
