import fc from 'fast-check';
import { findLinkifierMatches, linkifierMistake } from '../../../../src/chat/model/markdown/patterns/linkifiers';
import { openBudget } from '../../../../src/chat/model/markdown/patterns/matcher';
import { render } from '../../../../src/chat/model/markdown/render';
import { ALLOWED_COST, cost } from './cost';
import { html, link, organisation } from './organisation';
import { tries } from '../../../support/search';

const ticket = (id: string, text: string) => link(`https://trac.example.com/ticket/${id}`, text);
const linkifier = (pattern: string, urlFormat = 'https://a.com/%(x)s') => ({ id: 1, pattern, urlFormat });

test.each([
  ['#1234', `<p>${ticket('1234', '#1234')}</p>`],
  [
    'see (#12), "#13" and:#14',
    `<p>see (${ticket('12', '#12')}), "${ticket('13', '#13')}" and:${ticket('14', '#14')}</p>`,
  ],
  ['**x #12 y**', `<p><strong>x ${ticket('12', '#12')} y</strong></p>`],
  ['a#12 #1 #12a #12_ #12\u00e9 #123456789', '<p>a#12 #1 #12a #12_ #12\u00e9 #123456789</p>'],
  ['`#12` [#13](http://b.com)', `<p><code>#12</code> ${link('http://b.com', '#13')}</p>`],
  ['http://b.com/#12', `<p>${link('http://b.com/#12')}</p>`],
  ['our/repo#42.', `<p>${link('https://git.example.com/our/repo/42?a=100%', 'our/repo#42')}.</p>`],
  ['plain text', '<p>plain text</p>'],
])('A message with linkifiers renders to the expected HTML: %j', (content, expected) =>
  expect(html(content)).toBe(expected),
);

test('The text that a linkifier matched cannot break out of its link', () => {
  const linkifiers = [linkifier('x(?P<x>.+)y')];
  expect(html('x"><script>y', { linkifiers })).toBe(
    '<p><a href="https://a.com/&quot;&gt;&lt;script&gt;" target="_blank" title="https://a.com/&quot;&gt;&lt;script&gt;">x"&gt;&lt;script&gt;y</a></p>',
  );
});

describe('Linkifier patterns', () => {
  test.each([
    '#(?P<x>[0-9]+)',
    '#(?<x>[0-9]+)',
    'ZUL-(?P<x>\\d{1,6})',
    '(?P<x>[A-Z][A-Z0-9]+-[0-9]+)',
    '(?P<org>[\\w-]+)/(?P<x>[\\w.-]+)#(?P<n>\\d+)',
    '(?:PR|pull request) ?#?(?P<x>\\d+)',
    '(?P<x>[0-9a-f]{7,40})',
    '\\b(?P<x>a|b|c)\\b',
    '[+](?P<x>.+?)[!]',
    '(?P<x>(?:ab)+)',
    '(?P<x>[^\\]-]x)',
  ])('The pattern %s is accepted', (pattern) =>
    expect(linkifierMistake(pattern, 'https://a.com/%(x)s')).toBeUndefined(),
  );

  test.each([
    ['(?P<x>(a+)+)', 'a repeat inside a repeat'],
    ['(?P<x>(a|b*)*)', 'a repeat inside a repeat'],
    ['(?P<x>(?:a{2,5}){3})', 'a repeat inside a repeat'],
    ['(?P<x>(a?b?){30}c+)+', 'a repeat of something that may be empty'],
    ['(?P<x>(?:a?)*)b', 'a repeat of something that may be empty'],
    ['(?P<x>(?:\\b)*a)', 'a repeat of something that may be empty'],
    ['(?P<a>(a|a)*b)(?P<x>c)', 'it does not match in linear time'],
    ['(?P<x>(?:a|ab|b|ba)+)c', 'it does not match in linear time'],
    ['(?P<x>\\w+\\d+)!', 'it does not match in linear time'],
    ['(?P<x>a+a+)!', 'it does not match in linear time'],
    ['(?P<x>.*b.*c)', 'it does not match in linear time'],
    ['(?P<x>(?:\\W|é)+)a', 'it does not match in linear time'],
    ['(?P<x>(?:[😀]|[😁])+)a', 'it does not match in linear time'],
    [`(?P<x>${'a?'.repeat(30)})b`, 'it does not match in linear time'],
    ['(?P<x>[^!]{1,100}.{1,100})!', 'it does not match in linear time'],
    ['(?P<x>a)++', 'two repeats in a row'],
    ['(?P<x>a)**', 'two repeats in a row'],
    ['(?P<x>a)\\1', 'a back-reference or an unknown escape'],
    ['(?P<x>a)(?P=x)', 'look-around or flags'],
    ['(?=a)(?P<x>a)', 'look-around or flags'],
    ['(?!a)(?P<x>a)', 'look-around or flags'],
    ['(?<=a)(?P<x>a)', 'look-around, or a group without a name'],
    ['(?<!a)(?P<x>a)', 'look-around, or a group without a name'],
    ['(?i)(?P<x>a)', 'look-around or flags'],
    ['(?P<x>a){1000}', 'a repeat that is no number'],
    ['(?P<x>a){200}', 'a repeat out of bounds'],
    ['(?P<x>a){3,2}', 'a repeat out of bounds'],
    ['(?P<x>a', 'a parenthesis is not closed'],
    ['(?P<x>a))', 'a parenthesis is closed that was never opened'],
    ['(?P<x>[a)', 'it ends too early'],
    ['(?P<x>[z-a])', 'a range from high to low'],
    ['(?P<x>[\\d-z])', 'a range between classes'],
    ['(?P<x>a)(?P<x>b)', 'two groups of one name'],
    ['*(?P<x>a)', 'nothing to repeat'],
    ['^*(?P<x>a)', 'an anchor cannot be repeated'],
    ['(?P<x>a*)', 'it matches nothing at all'],
    ['abc', 'the address names no group'],
    [`(?P<x>${'a'.repeat(500)})`, 'too long'],
    [`(?P<x>${'(?:[a-z]x){99}'.repeat(15)})`, 'too long'],
  ])('The pattern %s is refused', (pattern, mistake) =>
    expect(linkifierMistake(pattern, 'https://a.com/%(x)s')).toBe(mistake),
  );

  test.each([
    ['ftp://a.com/%(x)s', 'the address is no web address'],
    ['javascript:%(x)s', 'the address is no web address'],
    ['https://a.com/%(y)s', 'the address names no group'],
    ['https://a.com/100%', 'a percent sign that stands alone'],
  ])('The URL format %s is refused', (format, mistake) => expect(linkifierMistake('(?P<x>a)', format)).toBe(mistake));

  test('A bad pattern that was stored nevertheless renders nothing', () => {
    expect(html('aaaa', { linkifiers: [linkifier('(?P<x>(a+)+)$'), linkifier('(?P<x>')] })).toBe('<p>aaaa</p>');
  });
});

/** Compared with JavaScript's own engine, on patterns that are harmless to it. */
test('The linkifier engine matches the same text as the regular expressions of JavaScript', () => {
  const atom = fc.constantFrom('a', 'b', '[ab]', '[^a]', '.', '\\d', '\\w', '(?:a|bc)', '\\.');
  const part = fc
    .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '*?', '+?', '??'))
    .map((both) => both.join(''));
  const pattern = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('')}`);
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', ' ', '.', '('), maxLength: 12 });
  fc.assert(
    fc.property(pattern, pattern, text, (first, second, content) => {
      const source = `${first}(?<x>${second})`;
      fc.pre(linkifierMistake(source, 'https://a.com/%(x)s') === undefined);
      const found = findLinkifierMatches(content, [linkifier(source)], openBudget());
      const expected = [...content.matchAll(new RegExp(`(?<![^\\s'"(,:<])${source}(?!\\w)`, 'g'))]
        .filter(([whole]) => whole !== '')
        .map((match) => ({
          start: match.index,
          end: match.index + match[0].length,
          href: `https://a.com/${match.groups!['x']}`,
        }));
      expect(found).toEqual(expected);
    }),
    { numRuns: tries(1500) },
  );
});

test.each([
  ['(?P<x>.+)!', ', '.repeat(5000)],
  ['(?P<x>\\w*\\w*\\w*\\w*\\w*\\w*)!', 'a'.repeat(10_000)],
  ['(?P<x>a.*b.*c.*d.*e.*f)', `${'abcde '.repeat(1600)}`],
  ['(?P<x>(?:a|ab|b|ba)+)c', 'ab'.repeat(5000)],
  [`(?P<x>${'a?'.repeat(60)}${'a'.repeat(60)})`, 'a '.repeat(5000)],
  ['(?P<x>(?:[a-z ]x?){1,100})!', 'ab '.repeat(3300)],
  ['(?P<x>[^!]{1,100}.{1,100})!', '("'.repeat(5000)],
])('The pattern %s renders a hostile message in bounded time', (pattern, content) => {
  const linkifiers = Array.from({ length: 20 }, (_, id) => ({ ...linkifier(pattern), id }));
  expect(cost(() => render(content, { ...organisation, linkifiers }))).toBeLessThan(ALLOWED_COST);
});
