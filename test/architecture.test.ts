import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { checkImports, layerOf, type SourceFile } from './support/architecture';

const root = join(__dirname, '..');
const folders = ['config', 'src', 'workers', 'cli'];

function read(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .map((path) => join(folder, path))
    .map((path) => ({ path: relative('.', path), text: readFileSync(join(root, path), 'utf8') }));
}

const sources = folders.flatMap(read);

test('every file lies in a layer we know', () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.map(({ path }) => path).filter((path) => layerOf(path) === undefined)).toEqual([]);
});

test('imports go one way', () => {
  expect(checkImports(sources)).toEqual([]);
});

test.each([
  ['a product reaching into the other', 'src/chat/commands/x.ts', "import { a } from '../../telephony/model/company';"],
  ['the kernel knowing a product', 'src/kernel/x.ts', "import type { User } from '../chat/model/user';"],
  ['the kernel reading the configuration', 'src/kernel/x.ts', "import { loadConfig } from '../../config';"],
  ['a store calling a command', 'src/chat/store/x.ts', "import { a } from '../commands/create-user';"],
  ['a door reaching past commands to a store', 'src/chat/http/x.ts', "import * as users from '../store/users';"],
  ['a command knowing HTTP', 'src/chat/commands/x.ts', "import { a } from '../http/users';"],
  ['a command knowing kernel HTTP', 'src/chat/commands/x.ts', "import { text } from '../../kernel/http/params';"],
  ['a worker knowing HTTP', 'workers/x.ts', "import { a } from '../src/chat/http/users';"],
  ['a model doing IO', 'src/chat/model/x.ts', "import * as users from '../store/users';"],
  ['a model with a clock', 'src/chat/model/x.ts', 'export const now = () => Date.now();'],
  ['koa outside the kernel', 'src/chat/http/x.ts', "import Koa from 'koa';"],
  ['ioredis outside the kernel', 'src/chat/actors/x.ts', "import { Redis } from 'ioredis';"],
  ['bullmq outside the jobs', 'src/chat/commands/x.ts', "import { Queue } from 'bullmq';"],
  ['knex outside stores', 'src/chat/commands/x.ts', "import type { Knex } from 'knex';"],
  ['the environment read outside config', 'src/chat/model/x.ts', "const a = process.env['A'];"],
  ['a forbidden name', 'src/chat/model/string-utils.ts', ''],
  ['a default export', 'src/chat/model/x.ts', 'export default 1;'],
  ['a function that outlives its request', 'src/kernel/http/x.ts', 'this.header = (name) => ctx.get(name);'],
])('a planted violation is found: %s', (_, path, text) => {
  expect(checkImports([...sources, { path, text }])).toHaveLength(1);
});

test('No kernel is made by spreading another: caches that belong to the first would be built anew for each call', () => {
  const spread = sources.filter(({ text }) => /\{\s*\.\.\.kernel\s*[,}]/.test(text));
  expect(spread.map(({ path }) => path)).toEqual([]);
});

test('Nothing of Knex is imported but its entry point', () => {
  const deep = sources.filter(({ text }) => /from 'knex\/|require\('knex\//.test(text));
  expect(deep.map(({ path }) => path)).toEqual([]);
});
