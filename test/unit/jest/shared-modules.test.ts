import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { sharedModules } from '../../jest/shared-modules';

const folder = mkdtempSync(join(tmpdir(), 'modules-'));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

test('A module is loaded once, in the realm of the tests, whatever it is written in', () => {
  const context = createContext({});
  const load = sharedModules(context);
  write('data.json', '{ "list": [1] }');
  write('part.mjs', 'export default class Part {}');
  write(
    'common.js',
    "exports.data = require('./data.json'); exports.name = require('node:path').basename(__filename);",
  );
  const main = write(
    'main.ts',
    "import Part from './part.mjs';\nimport { data, name } from './common';\nexport const all = { Part, data, name, error: new Error() };",
  );
  const { all } = load(main);
  expect(load(main).all).toBe(all);
  expect([all.name, all.data.list[0], new all.Part() instanceof all.Part]).toEqual(['common.js', 1, true]);
  expect(runInContext('(error) => error instanceof Error', context)(all.error)).toBe(true);
});

test('Modules may require each other, and one that failed is tried again', () => {
  const load = sharedModules(createContext({}));
  write('one.ts', "import { two } from './two';\nexport const one = () => two() + 1;");
  write('two.ts', "import { one } from './one';\nexport const two = () => 2;\nexport const three = () => one();");
  expect(load(join(folder, 'two.ts')).three()).toBe(3);
  const broken = write('broken.ts', "throw new Error('broken');");
  expect(() => load(broken)).toThrow('broken');
  write('broken.ts', 'export const isWhole = true;');
  expect(load(broken).isWhole).toBe(true);
});

test('A module that is loaded again shares its state with no other instance', () => {
  const file = write('state.ts', 'export const state = {};');
  expect(loadFresh<{ state: object }>(file).state).not.toBe(loadFresh<{ state: object }>(file).state);
});
