import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { polledBothWays, polledOnce } from '../scripts/lib/poll-tests';

const root = join(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** As tests and their clients write it. */
const POLL = /\/api\/v1\/events|\bget\('\/events'|\bask\('GET', '\/events'/;

/** The test itself, or a file of test/ that it imports. */
function namesThePath(path: string, seen = new Set<string>()): boolean {
  if (seen.has(path)) return false;
  seen.add(path);
  const text = read(path);
  if (POLL.test(text)) return true;
  const imported = [...text.matchAll(/from '(\.[^']+)'/g)].map((match) => `${join(dirname(path), match[1]!)}.ts`);
  return imported.some((each) => each.startsWith('test/') && existsSync(join(root, each)) && namesThePath(each, seen));
}

const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((path) => join('test', path))
  .filter((path) => path.endsWith('.test.ts') && path !== 'test/poll-tests.test.ts');

test('Every test that polls runs with and without the poll fast path, or says why not', () => {
  const listed = [...polledBothWays, ...Object.keys(polledOnce)].sort();
  expect(listed).toEqual(tests.filter((path) => namesThePath(path)).sort());
});
