// Rendered text as today's mobile app parses it: element by element, with exactly the classes that it knows.
import { todayHtml as shown } from '../../../src/chat/model/profiles/today-html';
import { unreadable } from '../../support/chat/apps/read-html';
import { html } from './markdown/organisation';

/** Where it does not matter what the text was rendered from. */
const todayHtml = (written: string) => shown(written, () => '');

const TEXTS = [
  'plain *em* **strong** ~~gone~~ `code`',
  '# One\n## Two\n\n---\n\n> quoted\n> more',
  '* a\n* b\n  * c\n\n3. three\n4. four',
  '```\nno language <b>\n```',
  '```js\nconst a = "b"; // <c>\n```',
  '```python\ndef f(x: int) -> str:\n    return f"{x}"\n```',
  '> ```\n> quoted code\n> ```',
  '```quote\nsaid\n```',
  '```spoiler Header\nhidden `code`\n```',
  '| a | b |\n|:--|--:|\n| 1 | 2 |',
  '@**King Hamlet** @_**King Hamlet** @**all** @**channel** @*support*',
  ':smile: :+1:',
  'https://example.com [text](https://example.com)',
  '<time:2026-11-19T14:00:00Z>',
  '/me waves',
  '@**topic** @_**topic**\n\n> @**topic**',
  '#**Denmark** #**Denmark>castle & co**',
  '[cat](/user_uploads/2/ab/cdef/cat.PNG)',
  'https://example.com/a.png',
  '[film](/user_uploads/2/ab/cdef/film.mp4)',
  '[song](/user_uploads/2/ab/cdef/song.mp3)',
  ':green_tick:',
  '#1234 hamlet@example.com',
  '~~~\nunclosed',
  '```spoiler\n```\nno heading\n```\n```',
  'https://example.com/page',
  '$$x^2$$\n\n```math\nx^2\n```',
];

const TOKEN = 'abcdefghijklmnopqrstuvwxyz012345';
const pictures = new Map([[TOKEN, { width: 300, height: 200, isAnimated: true }]]);
const PAGE = { image: '/external_content/x', title: 'Page', description: 'About' };
const previews = new Map([['https://example.com/page', PAGE]]);

test.each(TEXTS)("Today's app can show %j", (text) => {
  expect(unreadable(shown(html(text, { pictures, previews }), () => text))).toEqual([]);
});

test.each([
  ['cat.png', 'image/png'],
  ['cat.JPEG', 'image/jpeg'],
  ['a%20%22cat%22.webp', 'image/webp'],
])('Of the uploaded picture %s, its size and its type %s are known before it is loaded', (name, type) => {
  const written = html(`[cat](/user_uploads/2/ab/${TOKEN}/${name})`, { pictures });
  expect(written).not.toContain('content-type');
  const known = ` data-original-content-type="${type}" data-original-dimensions="300x200" data-animated="true">`;
  expect(todayHtml(written)).toContain(known);
  expect(JSON.parse(todayHtml(JSON.stringify(written)))).toBe(todayHtml(written));
  expect(todayHtml(todayHtml(written))).toBe(todayHtml(written));
  expect(unreadable(todayHtml(written))).toEqual([]);
});

test('A topic is mentioned in a span of its own, silently in quotes', () => {
  expect(html('@**topic** @_**topic**')).toBe(
    '<p><span class="topic-mention">@topic</span> <span class="topic-mention silent">topic</span></p>',
  );
  expect(html('> @**topic**')).toContain('<span class="topic-mention silent">topic</span>');
});

test('Clients of 2.1 get code blocks as ever, and the same text changes inside JSON too', () => {
  const written = html('```js\na\n```');
  expect(written).not.toContain('<code>');
  expect(unreadable(written)).toHaveLength(1);
  expect(JSON.parse(todayHtml(JSON.stringify(written)))).toBe(todayHtml(written));
  expect(todayHtml(todayHtml(written))).toBe(todayHtml(written));
});

test.each([
  ['```js\na\n```\n\n~~~ Rust\nb\n~~~\n\n```\nc\n```', ['JavaScript', 'Rust', undefined]],
  ['```quote\n```py\na\n```\n```\n```spoiler x\n```nix\nb\n```\n```', ['Python', 'nix']],
  ['```math\nx\n```\n\n```sql\na', ['SQL']],
  // The second block is none that its fences tell of: none gets a language.
  ['```js\na\n```\n\n> ```ts\n> b\n> ```', [undefined, undefined]],
])('The code blocks of %j are of the languages %j', (text, languages) => {
  const written = html(text);
  const today = shown(written, () => text);
  const found = [...today.matchAll(/<div class="codehilite"(?: data-code-language="([^"]*)")?>/g)];
  expect(found.map(([, language]) => language)).toEqual(languages);
  expect(JSON.parse(shown(JSON.stringify(written), () => text))).toBe(today);
  expect(shown(today, () => text)).toBe(today);
});
