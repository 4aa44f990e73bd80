import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const web = join(__dirname, '../../../web');
const sheets = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css') && name !== join('shared', 'style', 'tokens.css'))
  .map((name) => ({ name, lines: readFileSync(join(web, name), 'utf8').split('\n') }));
const tokens = readFileSync(join(web, 'shared/style/tokens.css'), 'utf8');
const distances = new Set([...tokens.matchAll(/--pl-(?:space-\d|gutter): (\d+px);/g)].map(([, px]) => px!));

/** Lines that match, with the names of their files. */
const linesWith = (isMeant: (line: string) => boolean): string[] =>
  sheets.flatMap(({ name, lines }) => lines.filter(isMeant).map((line) => `${name}: ${line.trim()}`));

test('Style sheets give sizes of text by tokens, or relative to the text around', () => {
  expect(linesWith((line) => /font(?:-size)?:.*\d(?:px|rem)/.test(line.replace(/\/ ?[\d.]+(?:px)?/, '')))).toEqual([]);
});

test('Style sheets give a distance that has a token by the token', () => {
  expect(distances.size).toBeGreaterThan(7);
  const isLiteral = (line: string): boolean => {
    const [, value = ''] =
      /^\s*(?:margin|padding|gap|row-gap|column-gap)[a-z-]*: ([^(]*(?:var\([^)]*\)[^(]*)*);$/.exec(line) ?? [];
    return value.split(/\s+/).some((part) => distances.has(part));
  };
  expect(linesWith(isLiteral)).toEqual([]);
});
