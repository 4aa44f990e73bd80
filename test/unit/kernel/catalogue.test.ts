import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCatalogues } from '../../../src/kernel/texts/catalogue';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'texts-'));
  const write = (language: string, texts: Record<string, string>) =>
    writeFileSync(join(folder, `${language}.json`), JSON.stringify(texts));
  write('en', { apples: '{count} apples', apples_one: 'an apple', hello: 'Hello {name}', only: 'English only' });
  write('de', { apples: '{count} Äpfel', apples_one: 'ein Apfel', hello: 'Hallo {name}' });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('A language is a file, and an unknown one is English', () => {
  const words = openCatalogues(folder);
  expect(
    ['de', 'de-AT', 'DE_de', 'fr, de;q=0.9, en;q=0.8', 'fr', ''].map((language) => words(language).language),
  ).toEqual(['de', 'de', 'de', 'de', 'en', 'en']);
  expect(words('de').say('hello', { name: '{name} $&' })).toBe('Hallo {name} $&');
  expect(words('de').say('only')).toBe('English only');
});

test('Numbers take the plural of the language', () => {
  const { say } = openCatalogues(folder)('de');
  expect([1, 2].map((count) => say('apples', { count }))).toEqual(['ein Apfel', '2 Äpfel']);
});

const fieldsOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\w+\}/g)].map(([field]) => field))].toSorted();

describe.each(['chat', 'telephony'])('The catalogue of %s', (product) => {
  const sources = join(__dirname, '../../../src', product);
  const folder = join(sources, 'model/texts');
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, string>;
  const english = read('en.json');
  const others = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'en.json');

  test.each(others)('%s has every text, each with the same fields and in its own language', (name) => {
    const texts = read(name);
    expect(Object.keys(texts)).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(texts)) {
      expect({ key, fields: fieldsOf(text) }).toEqual({ key, fields: fieldsOf(english[key]!) });
      expect({ key, isSame: text === english[key] && /\w/.test(text.replaceAll(/\{\w+\}/g, '')) }).toEqual({
        key,
        isSame: false,
      });
    }
  });

  test('The server uses every text', () => {
    const all = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(sources, name), 'utf8'))
      .join('\n');
    const unused = Object.keys(english).filter((key) => {
      const plain = key.replace(/_(one|few|many|other)$/, '');
      // Some keys are composed: say(`page.${field}`).
      const composed = `\`${plain.slice(0, plain.lastIndexOf('.') + 1)}\${`;
      return !all.includes(`'${plain}'`) && !all.includes(composed);
    });
    expect(unused).toEqual([]);
  });
});
