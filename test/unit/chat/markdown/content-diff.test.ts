import { contentDiff } from '../../../../src/chat/model/markdown/content-diff';
import { render } from '../../../../src/chat/model/markdown/render';
import { tries } from '../../../support/search';
import { ALIVE, SLOW } from './corpus';
import { ALLOWED_COST, cost } from './cost';
import { html, organisation } from './organisation';
import { scan } from './scanner';

const added = (text: string) => `<span class="highlight_text_inserted">${text}</span>`;
const gone = (text: string) => `<span class="highlight_text_deleted">${text}</span>`;

test.each([
  ['this is some text', 'this is some more text', `<p>this is some ${added('more ')}text</p>`],
  ['one two three', 'one three', `<p>one ${gone('two ')}three</p>`],
  ['a b c', 'a x c', `<p>a ${gone('b')}${added('x')} c</p>`],
  ['a ~~b~~ c', 'a ~~d~~ c', `<p>a <del>${gone('b')}${added('d')}</del> c</p>`],
  ['same', 'same', '<p>same</p>'],
  ['a', '', `<p>${gone('a')}</p>`],
  ['', 'a', `<p>${added('a')}</p>`],
])('The diff of an edit marks removed and added words: %j to %j', (before, after, expected) =>
  expect(contentDiff(html(before), html(after))).toBe(expected),
);

test('An edit that cannot be shown word by word is shown as one deletion and one insertion', () => {
  expect(contentDiff(html('**a** b'), html('*a* b'))).toBe(
    '<div class="highlight_text_deleted"><p><strong>a</strong> b</p></div>' +
      '<div class="highlight_text_inserted"><p><em>a</em> b</p></div>',
  );
});

test.each(ALIVE.filter((_, index) => index % 3 === 0))(
  'The diff of an edit to the hostile message %j is inert',
  (content) => {
    const other = ALIVE[(ALIVE.indexOf(content) * 7 + 1) % ALIVE.length]!;
    expect(scan(contentDiff(html('harmless words'), html(content)))).toEqual([]);
    expect(scan(contentDiff(html(content), html(other)))).toEqual([]);
  },
);

test('Markup that should never have been stored is left out of a diff', () => {
  const evil = '<p onclick="x()">a</p><script>alert(1)</script><a href="javascript:x">b</a><ins onload=x>c</ins>';
  const diff = contentDiff(evil, '<p>a</p><img src=x onerror=alert(1)>');
  expect(diff).not.toMatch(/<script|<ins|onclick=|<[^>]*onerror|<a [^>]*javascript/);
});

const rendered = Object.entries(SLOW)
  .filter((_, index) => index % 3 === 0)
  .flatMap(([name, content]): [string, string][] => {
    try {
      return [[name, render(content, organisation).html]];
    } catch {
      return [];
    }
  });

test.each(rendered.slice(0, tries(rendered.length)))(
  'The diff of an edit of the slow message "%s" is computed in bounded time',
  (_, before) => {
    const others = [before.replaceAll('a', 'b'), before.slice(0, before.length / 2), html('.,;!'.repeat(2500))];
    for (const after of others) expect(cost(() => contentDiff(before, after))).toBeLessThan(ALLOWED_COST);
  },
);
