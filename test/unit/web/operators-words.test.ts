import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { translatorOf, type Sentences } from '../../../web/shared/texts/sentences';

const root = join(__dirname, '../../..');
const folder = join(root, 'web/shared/texts/operators');
const languages = readdirSync(folder).map((name) => name.replace('.json', ''));
const read = (language: string) => JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Sentences;

/** Files that create findings for the overview. */
const sources = ['model', 'queries']
  .flatMap((layer) => readdirSync(join(root, 'src/ops', layer)).map((name) => join(root, 'src/ops', layer, name)))
  .map((path) => readFileSync(path, 'utf8'))
  .filter((text) => /import \{[^}]*\b(ok|warn|fail)\b[^}]*\} from '[./a-z]*finding'/.test(text))
  .map((text) => text.replace(/^import .*$/gm, '').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''));

const LITERAL = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/;
/** The name of a check, then the finding and the advice if they are written there. */
const CALL = new RegExp(
  String.raw`\b(?:ok|warn|fail)\(\s*(${LITERAL.source}|check),\s*(${LITERAL.source})?(?:[\w.]+)?(?:,\s*(${LITERAL.source}))?`,
  'g',
);
const wordsOf = (literal: string): string => literal.slice(1, -1).replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '{}');

/** In these files, a string with a space and a word is a text for operators, even if it is first given a name. */
const said = sources.flatMap((text) => [
  ...[...text.matchAll(CALL)].flatMap(([, ...literals]) => literals.filter((each) => each && each !== 'check')),
  ...[...text.matchAll(/const check = ('[\w-]+')/g)].map(([, literal]) => literal),
  ...[...text.matchAll(new RegExp(LITERAL, 'g'))].flatMap(([literal]) => (literal.includes(' ') ? literal : [])),
]);
const findings = [...new Set(said.map((literal) => wordsOf(literal!)))].filter(
  (words) => /[a-z]{3}/i.test(words) && words !== 'nothing stored',
);

test('The texts of findings are extracted from the sources', () => {
  expect(sources.length).toBeGreaterThanOrEqual(5);
  expect(findings).toEqual(expect.arrayContaining(['dead-letters', 'secret-key', 'a replica', 'paused: {}']));
  expect(findings).toContain('{} changes are not published yet, the oldest for {} s');
});

test.each(languages)(
  'The translations into %s cover exactly the findings and the remarks of work queues',
  (language) => {
    const sentences = read(language);
    const translate = translatorOf(sentences);
    expect(findings.filter((text) => translate(text.replaceAll('{}', 'x')) === undefined)).toEqual([]);
    const others = Object.keys(sentences).filter((sentence) => !findings.includes(sentence));
    expect(others.filter((sentence) => !/; subject is /.test(sentence))).toEqual([]);
  },
);

test.each(languages)('A translation into %s has every placeholder of its source text', (language) => {
  for (const [sentence, translation] of Object.entries(read(language))) {
    const holes = Array.from({ length: sentence.split('{}').length - 1 }, (_, index) => `{${index + 1}}`);
    const named = [...translation.matchAll(/\{\d\}/g)].map(([hole]) => hole).toSorted();
    expect([sentence, named]).toEqual([sentence, holes]);
  }
});

test('A finding is translated with the names and amounts in it', () => {
  const translate = translatorOf(read('de'));
  expect(translate('for an operator to look at: mails (2), orders (1)')).toBe(
    'jemand vom Betrieb muss es ansehen: mails (2), orders (1)',
  );
  expect(translate('out of cheese')).toBeUndefined();
});
