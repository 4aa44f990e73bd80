import { topicLinks } from '../../../../src/chat/model/markdown/links/autolinks';
import { html, link, organisation } from './organisation';

const linked = (text: string, href = text) => link(href, text.replaceAll('&', '&amp;'), href.replaceAll('&', '&amp;'));

describe('Links with text', () => {
  test.each([
    ['[hello](https://a.com)', `<p>${link('https://a.com', 'hello')}</p>`],
    ['[hello](a.com)', `<p>${link('http://a.com', 'hello')}</p>`],
    ['[hello](https://a.com "title")', `<p>${link('https://a.com', 'hello')}</p>`],
    ['[hello](<https://a.com>)', `<p>${link('https://a.com', 'hello')}</p>`],
    ['[](https://a.com) [  ](https://a.com)', `<p>${link('https://a.com')} ${link('https://a.com')}</p>`],
    ['[a](https://a.com/b_(c)_d)', `<p>${link('https://a.com/b_(c)_d', 'a')}</p>`],
    ['[a [b] c](https://a.com)', `<p>${link('https://a.com', 'a [b] c')}</p>`],
    ['[**a** :smile: #12 `c`](https://a.com)', `<p>${link('https://a.com', '**a** :smile: #12 <code>c</code>')}</p>`],
    ['**[a](https://a.com)**', `<p><strong>${link('https://a.com', 'a')}</strong></p>`],
    [
      '[mail](mailto:a@b.com) [too](a@b.com)',
      '<p><a href="mailto:a@b.com" title="mailto:a@b.com">mail</a> <a href="mailto:a@b.com" title="mailto:a@b.com">too</a></p>',
    ],
    [
      '[f](ftp://a.com/x) [g](file:///x) [h](bitcoin:x)',
      `<p>${link('ftp://a.com/x', 'f')} ${link('file:///x', 'g')} ${link('bitcoin:x', 'h')}</p>`,
    ],
    [
      '[up](/user_uploads/2/ab/cd/my.txt)',
      '<p><a href="/user_uploads/2/ab/cd/my.txt" target="_blank" title="my.txt">up</a></p>',
    ],
    [
      '[n](https://chat.example.com/#narrow/stream/1-x)',
      '<p><a href="#narrow/stream/1-x" title="#narrow/stream/1-x">n</a></p>',
    ],
    [
      'https://chat.example.com/#narrow/stream/1-x',
      '<p><a href="#narrow/stream/1-x" title="#narrow/stream/1-x">https://chat.example.com/#narrow/stream/1-x</a></p>',
    ],
    ['[n](https://chat.example.com/help)', `<p>${link('https://chat.example.com/help', 'n')}</p>`],
    [
      '[n](https://chat.example.com.evil.com/#narrow)',
      `<p>${link('https://chat.example.com.evil.com/#narrow', 'n')}</p>`,
    ],
    ['[a b](http://a.com/x y)', `<p>${link('http://a.com/x%20y', 'a b')}</p>`],
    ['Hello [world][ref]\n\n[ref]: https://a.com', `<p>Hello [world][ref]</p>\n<p>[ref]: ${link('https://a.com')}</p>`],
    ['![alt](https://a.com/x)', `<p>![alt](${link('https://a.com/x')})</p>`],
    ['1 [](foo://) 3', '<p>1 [](foo://) 3</p>'],
    ['[a](tel:1) [a](itms://i.com/x)', '<p>[a](tel:1) [a](itms://i.com/x)</p>'],
    ['[a](//evil.com)', '<p>[a](//evil.com)</p>'],
    ['[unclosed](http://', '<p>[unclosed](http://</p>'],
  ])('A message with links in Markdown renders to the expected HTML: %j', (content, expected) =>
    expect(html(content)).toBe(expected),
  );
});

/** Braces mark the position of the address. */
test.each([
  '{http://www.google.com}',
  ' some text {https://www.google.com/}',
  'with {www.example.com/foo} ok?',
  'allow questions like {http://foo.com}?',
  '"{http://is.gd/foo/} "',
  '"{http://is.gd/foo/}"',
  'end of sentence {https://t.co}.',
  '(Something like {http://foo.com/blah_blah})',
  'end with {www.google.com}!',
  'from {http://supervisord.org/running.html}:',
  '{http://localhost:9991/?show_debug=1}',
  '{http://foo.com?a=1&b=2#c}',
  '({http://en.wikipedia.org/wiki/Each-way_(bet)})',
  '({http://en.wikipedia.org/wiki/Each-way_(bet)_(more_parens)})',
  '{http://web.archive.org/web/2012/http://web.mit.edu/x.html}',
  '{http://www.postgresql.org/message-id/14040@sss.pgh.pa.us}',
  '{http://leo@foo.com/my/file}',
  '{http://example.com/some?with,commas,in,url}, but not at end',
  '{https://metacpan.org/module/Image::Resize::OpenCV}',
  'sorry,{http://example.com/}',
  '{https://a.com/(we_like_((t(d(o(___)o)o))o_nest_)_nest)_nest}',
  '<{http://a.com}>',
])('The address in braces becomes a link: %s', (marked) => {
  const [before, address, after] = marked.split(/[{}]/) as [string, string, string];
  const escape = (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const href = address.startsWith('http') ? address : `http://${address}`;
  expect(html(marked.replace(/[{}]/g, ''))).toBe(
    `<p>${escape(before.trimStart())}${linked(address, href)}${escape(after)}</p>`,
  );
});

test.each([
  ['t.co and goo.gl/abc', `<p>${linked('t.co', 'http://t.co')} and ${linked('goo.gl/abc', 'http://goo.gl/abc')}</p>`],
  ['foo.com/a::trollface::b', `<p>${linked('foo.com/a::trollface::b', 'http://foo.com/a::trollface::b')}</p>`],
  ['foo.com/a*b*c', `<p>${linked('foo.com/a*b*c', 'http://foo.com/a*b*c')}</p>`],
  ['javascript:foo.com', `<p>javascript:${linked('foo.com', 'http://foo.com')}</p>`],
  ['[foo](javascript:foo.com)', `<p>[foo](javascript:${linked('foo.com', 'http://foo.com')})</p>`],
  ['<a@b.com>', '<p>&lt;<a href="mailto:a@b.com" title="mailto:a@b.com">a@b.com</a>&gt;</p>'],
  ['~~test http://xx.xx link~~', `<p><del>test ${linked('http://xx.xx')} link</del></p>`],
])('A message with bare addresses renders to the expected HTML: %s', (content, expected) =>
  expect(html(content)).toBe(expected),
);

test.each([
  'readme.md and views.py',
  'love...it e.g. 1.2.3 i.e.',
  'a.commandstuff()',
  'a@b.com/foo',
  'javascript://foo.com',
  'foobarscript://foo.com',
  'aim:addbuddy?screenname=foo',
  'itms://itunes.com/apps/appname',
  'http:// https://',
  'xhttp://a.com',
  'https://a.com/(eight((((((((deep))))))))',
])('The text "%s" contains no link', (content) => expect(html(content)).toBe(`<p>${content}</p>`));

test('The links of a topic are those of linkifiers first, then bare addresses', () => {
  expect(topicLinks('see #1234, http://a.com/x and b.com/y', organisation.linkifiers)).toEqual([
    { text: '#1234', url: 'https://trac.example.com/ticket/1234' },
    { text: 'http://a.com/x', url: 'http://a.com/x' },
    { text: 'b.com/y', url: 'https://b.com/y' },
  ]);
  expect(topicLinks('nothing here, a@b.com', organisation.linkifiers)).toEqual([]);
});
