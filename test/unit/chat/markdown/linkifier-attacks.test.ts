import fc from 'fast-check';
import { check } from 'recheck';
import { linkifierMistake } from '../../../../src/chat/model/markdown/patterns/linkifiers';
import { readPattern } from '../../../../src/chat/model/markdown/patterns/pattern';
import { MAX_STEPS, signsOf, stepsOf } from './backtracking';
import { tries } from '../../../support/search';

/** From Zulip's documentation and its users' organisations. */
const REASONABLE = [
  '#(?P<id>[0-9]+)',
  '#(?P<id>[0-9]{2,8})',
  '(?P<org>[a-zA-Z0-9_-]+)/(?P<repo>[a-zA-Z0-9_-]+)#(?P<id>[0-9]+)',
  '(?P<org>[\\w-]+)/(?P<id>[\\w.-]+)#(?P<n>\\d+)',
  '[a-z]+/(?P<id>[0-9a-f]{7,40})',
  '(?P<id>[0-9a-f]{40})',
  '(?P<id>[A-Z][A-Z0-9]+-[0-9]+)',
  'ZUL-(?P<id>\\d{1,6})',
  '(?:PR|MR|pull request) ?#?(?P<id>\\d+)',
  'T(?P<id>\\d+)',
  'D(?P<id>\\d{4,})',
  '(?P<id>(?:CVE|cve)-\\d{4}-\\d{4,7})',
  'RFC ?(?P<id>\\d{1,5})',
  '\\b(?P<id>foo|bar|baz)\\b',
  'wiki:(?P<id>[\\w/]+)',
  '\\[\\[(?P<id>[^\\]]+)\\]\\]',
  'bug[ :](?P<id>\\d+)',
  'c/(?P<id>[^ ]{1,80})',
  '[+](?P<id>.+?)[!]',
  '(?P<id>[\\w.]+\\.\\w+)',
  '@(?P<id>[\\w.+-]+@[\\w-]+\\.[a-z]{2,6})',
  '(?P<id>(?:ab)+)',
];

const mistakeOf = (pattern: string) => linkifierMistake(pattern, 'https://a.com/%(id)s');

test.each(REASONABLE)('The reasonable pattern %s is accepted', (pattern) => expect(mistakeOf(pattern)).toBeUndefined());

const ATOMS =
  'a b ab 1 - / é . [ab] [^a] [a-z] [0-9] [a-f0-9] \\d \\w \\W \\s \\. \\b ' +
  '(?:a|b) (?:a|ab) (?:a|a) (?:ab|ba) (?:a|[ab]) (?:1|-|ab) (?:a?b) (?:a|)';
const atom = fc.constantFrom(...ATOMS.split(' '));
const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '{0,9}', '{2,}', '*?', '+?', '??');
const part = fc.tuple(atom, quantifier).map(([one, many]) => one + many);
const pattern = fc
  .tuple(
    fc.array(part, { maxLength: 3 }),
    fc.array(part, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '*', '+', '{1,3}'),
    fc.array(part, { maxLength: 3 }),
  )
  .map(([before, inside, many, after]) => `${before.join('')}(?P<id>(?:${inside.join('')})${many})${after.join('')}`);

interface Attack {
  readonly start: readonly string[];
  readonly pumped: readonly string[];
}

const textOf = ({ start, pumped }: Attack, times: number) => start.join('') + pumped.join('').repeat(times) + '\u0001';

/** A quadratic pattern takes four times as many steps for twice the text, an exponential one far more. */
function expectLinear(written: string, attack: Attack): void {
  for (const engine of ['python', 'browser'] as const) {
    const node = readPattern(written, engine);
    const [short, long] = [stepsOf(node, textOf(attack, 60)), stepsOf(node, textOf(attack, 120))];
    if (long > MAX_STEPS || long > 2.8 * short + 500)
      throw new Error(`${written}: ${short} steps, then ${long}, by ${JSON.stringify(attack)}`);
  }
}

const attackOn = (written: string) => {
  const sign = fc.constantFrom(...signsOf(readPattern(written)));
  return fc.record({
    start: fc.array(sign, { maxLength: 3 }),
    pumped: fc.array(sign, { minLength: 1, maxLength: 3 }),
  });
};

test('No generated text makes an accepted pattern take more than linear time', () => {
  let accepted = 0;
  fc.assert(
    fc.property(pattern, (written) => {
      if (mistakeOf(written) !== undefined) return;
      accepted += 1;
      for (const attack of fc.sample(attackOn(written), 40)) expectLinear(written, attack);
    }),
    { numRuns: tries(1500) },
  );
  for (const written of REASONABLE) {
    for (const attack of fc.sample(attackOn(written), tries(200))) expectLinear(written, attack);
  }
  expect(accepted).toBeGreaterThan(tries(100));
});

test.each([
  ['(?P<id>(a|a)*b)', { start: [], pumped: ['a'] }],
  ['(?P<id>\\w+\\d+)!', { start: [], pumped: ['1'] }],
  ['(?P<id>(?:a|ab|b|ba)+)c', { start: [], pumped: ['a', 'b'] }],
])('The attack shows that %s is not linear, and the pattern is refused', (written, attack) => {
  expect(() => expectLinear(written, attack)).toThrow('steps, then');
  expect(mistakeOf(written)).toBe('it does not match in linear time');
});

/** Anchored, because a match begins at a word boundary; and never matching, so that the engine must try every path. */
const inJavaScript = (written: string) => `^(?:${written.replaceAll('(?P<', '(?<')})\\x01`;

test('An analysis of regular expressions finds no attack on any accepted pattern', async () => {
  const generated = fc.sample(pattern, tries(1000)).filter((written) => mistakeOf(written) === undefined);
  const found: string[] = [];
  let judged = 0;
  for (const written of [...REASONABLE, ...new Set(generated)].slice(0, tries(80))) {
    const diagnostics = await check(inJavaScript(written), '', { checker: 'automaton', timeout: 2000 });
    if (diagnostics.status === 'vulnerable') found.push(`${written}: ${diagnostics.complexity.type}`);
    if (diagnostics.status === 'safe') judged += 1;
  }
  expect(found).toEqual([]);
  expect(judged).toBeGreaterThan(tries(15));
});
