import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../../../web/shared/texts');
const read = (language: string) =>
  JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Record<string, string>;
const english = read('en');
const languages = readdirSync(folder).flatMap((name) => (/^(?!en)\w+(?=\.json$)/.exec(name) ?? []) as string[]);

/** Words that are the same in both languages. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  de: [
    'farEnd.carrier',
    'farEnd.webhook',
    'farEndField.codecs',
    'language.direction',
    'ops.by.api',
    'ops.name',
    'portal.browser',
    'portal.changedFromTo',
    'portal.fax',
    'portal.name',
    'portal.person',
    'side.streams',
  ],
};

const fieldsOf = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([field]) => field).toSorted();

test('There is a German catalogue', () => {
  expect(languages).toContain('de');
});

test.each(languages)('The catalogue %s has every text, each with the same fields', (language) => {
  const catalogue = read(language);
  expect(Object.keys(catalogue).toSorted()).toEqual(Object.keys(english).toSorted());
  for (const [key, text] of Object.entries(catalogue)) {
    expect({ key, fields: fieldsOf(text) }).toEqual({ key, fields: fieldsOf(english[key]!) });
  }
});

test.each(languages)('The catalogue %s is translated: texts that equal the English ones are listed', (language) => {
  const catalogue = read(language);
  const equal = Object.keys(catalogue).filter((key) => catalogue[key] === english[key]);
  expect(equal.toSorted()).toEqual([...(SAME[language] ?? [])].toSorted());
});

test('The pages use every text of the catalogue', () => {
  const sources = readdirSync(join(__dirname, '../../../web'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(__dirname, '../../../web', name), 'utf8'))
    .join('\n');
  const unused = Object.keys(english).filter((key) => {
    const plain = key.replace(/_(one|few|many|other)$/, '');
    // Some keys are composed: t(`presence.${here}`).
    const prefix = `\`${plain.slice(0, plain.lastIndexOf('.') + 1)}`;
    return !sources.includes(`'${plain}'`) && !new RegExp(`${prefix.replace('.', '\\.')}(kind)?\\$\\{`).test(sources);
  });
  expect(unused).toEqual([]);
});
