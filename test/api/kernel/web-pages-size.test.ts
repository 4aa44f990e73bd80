import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const DIST = join(__dirname, '../../../dist/web');
/** Kilobytes, as most browsers on plain HTTP get them. What is rarely used is behind `lazyPart` (docs/WEB.md). */
const LIMIT = 200;

/** A small file is stored only as it is. */
const bytesOf = (file: string): number => statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size;

test('The first conversation needs at most 200 kB of compressed scripts, and every file that the page names exists', () => {
  const html = readFileSync(join(DIST, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+|undefined)"/g)].map(([, file]) => file!);
  const scripts = named.filter((file) => file.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(3);
  const sizes = named.map((file) => [file, bytesOf(join(DIST, file))] as const);
  const kilobytes = sizes.filter(([file]) => file.endsWith('.js')).reduce((sum, [, bytes]) => sum + bytes, 0) / 1000;
  expect(kilobytes).toBeLessThanOrEqual(LIMIT);
});
