import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printedDefault } from '../../../config/report';
import { variables } from '../../../config/variables';
import { readDocument, root, tableRows } from './documents';

const document = readDocument('docs/SECURITY.md');
const known = new Map(Object.values(variables).map((variable) => [variable.name, variable]));
const plain = (cell = '') => cell.replaceAll('`', '');

test('Every variable that docs/SECURITY.md names exists', () => {
  const named = [...document.text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|HOST|PORT)`/g)].map((match) => match[1]!);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('Every limit in docs/SECURITY.md has the default of the program', () => {
  const rows = tableRows(document, ['variable', 'default', 'bounds']);
  expect(rows.length).toBeGreaterThan(20);
  const wrong = rows.filter(([name, value]) => {
    const variable = known.get(plain(name));
    return variable === undefined || printedDefault(variable) !== plain(value);
  });
  expect(wrong).toEqual([]);
});

test('Every variable that limits the size or rate of input is in docs/SECURITY.md', () => {
  const bounding = [...known.keys()].filter((name) => /(_LIMIT|_LIMIT_BYTES|_PAYLOAD_BYTES|_TIMEOUT_MS)$/.test(name));
  expect(bounding.length).toBeGreaterThan(8);
  expect(bounding.filter((name) => !document.text.includes(`\`${name}\``))).toEqual([]);
});

test('The file README.md links to docs/SECURITY.md', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('(docs/SECURITY.md)');
});
