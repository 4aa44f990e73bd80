// Rendered text as today's mobile app parses it: element by element, with exactly the classes that it knows.
import { todayHtml } from '../../../src/chat/model/profiles/today-html';
import { unreadable } from '../../support/chat/apps/read-html';
import { html } from './markdown/organisation';

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
];

test.each(TEXTS)("Today's app can show %j", (text) => {
  expect(unreadable(todayHtml(html(text)))).toEqual([]);
});

test('Clients of 2.1 get code blocks as ever, and the same text changes inside JSON too', () => {
  const written = html('```js\na\n```');
  expect(written).not.toContain('<code>');
  expect(unreadable(written)).toHaveLength(1);
  expect(JSON.parse(todayHtml(JSON.stringify(written)))).toBe(todayHtml(written));
  expect(todayHtml(todayHtml(written))).toBe(todayHtml(written));
});
