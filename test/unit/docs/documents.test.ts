import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { printedDefault } from '../../../config/report';
import { variables } from '../../../config/variables';
import { anchors, documents, localLinks, readDocument, root } from './documents';

const readText = (path: string) => readFileSync(join(root, path), 'utf8');

test.each(documents.map((document) => [document.path, document] as const))(
  'All links in %s have a target',
  (path, document) => {
    const broken = localLinks(document).filter((link) => {
      const [target = '', anchor] = link.split('#');
      const file = target === '' ? path : join(dirname(path), target);
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && !anchors(readDocument(file)).includes(anchor);
    });
    expect(broken).toEqual([]);
  },
);

/** A superseded decision keeps its text, which names files that are gone. */
const SUPERSEDED = 'docs/adr/superseded/';
const current = documents.filter(({ path }) => !path.startsWith(SUPERSEDED));

test.each(current.map(({ path, text }) => [path, text]))('All files that %s names exist', (_, text) => {
  const named = [...text.matchAll(/`((?:test|src|workers|cli|config|scripts|deploy)\/[\w./-]+\.\w+)`/g)];
  const missing = named.map((match) => match[1]!).filter((path) => !existsSync(join(root, path)));
  expect(missing).toEqual([]);
});

const QUOTED_TEST = /`(test\/[\w/.-]+\.ts)`((?: \|| ?,? ?"[^"]+")*)/g;

test.each(['docs/OPERATIONS.md', 'docs/ACTORS.md'])('All tests that %s quotes have these titles', (path) => {
  const quotes = [...readDocument(path).text.replace(/ {2,}/g, ' ').matchAll(QUOTED_TEST)].flatMap(
    ([, file = '', titles = '']) => [...titles.matchAll(/"([^"]+)"/g)].map((match) => ({ file, title: match[1]! })),
  );
  expect(quotes.length).toBeGreaterThan(10);
  expect(quotes.filter(({ file, title }) => !readText(file).includes(title))).toEqual([]);
});

test('Every npm script that a document names exists', () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  const known = new Set(Object.keys(scripts));
  const unknown = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\bnpm (?:run (?:-s )?([\w:]+)|(start|test)\b)/g)]
      .map((match) => match[1] ?? match[2]!)
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('A decision lies among the superseded ones if and only if it names its successor', () => {
  const decisions = documents.filter(({ path }) => path.startsWith('docs/adr/'));
  const misplaced = decisions.filter(
    ({ path, text }) => path.startsWith(SUPERSEDED) !== text.startsWith('Superseded by '),
  );
  expect(misplaced.map(({ path }) => path)).toEqual([]);
});

test('The decisions are numbered without a gap, and each has its four parts', () => {
  const decisions = documents.filter(({ path }) => path.startsWith('docs/adr/'));
  const numbers = decisions.map(({ path }) => basename(path).slice(0, 4)).sort();
  expect(numbers).toEqual(numbers.map((_, index) => String(index + 1).padStart(4, '0')));
  for (const { text } of decisions) {
    const parts = [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1]);
    expect(parts).toEqual(['Context', 'Decision', 'Consequences', 'Rejected']);
  }
});

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000, MiB: 1024 * 1024, KiB: 1024 };

test('Every default that a document gives in brackets is the default of the program', () => {
  const defaults = new Map(Object.values(variables).map((variable) => [variable.name, printedDefault(variable)]));
  const given = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/`([A-Z][A-Z_]+_(?:MS|BYTES))` \(([\d.]+) (ms|s|min|KiB|MiB)\b/g)].map(
      ([, name = '', value = '', unit = '']) => ({ path, name, value: String(Number(value) * UNITS[unit]!) }),
    ),
  );
  expect(given.length).toBeGreaterThan(10);
  expect(given.filter(({ name, value }) => defaults.get(name) !== value)).toEqual([]);
});
