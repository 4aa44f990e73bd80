import { formatted, type Format } from '../../../web/chat/text/formatting';
import { withOffset } from '../../../web/chat/text/times';

/** The text with its selection between bars. */
function read(shown: string) {
  const [before = '', inner = '', after = ''] = shown.split('|');
  return { text: before + inner + after, from: before.length, to: before.length + inner.length };
}

function press(format: Format, shown: string): string {
  const at = read(shown);
  const { from, to, text, select } = formatted(format, at, 'Spoiler');
  const next = at.text.slice(0, from) + text + at.text.slice(to);
  return `${next.slice(0, select[0])}|${next.slice(select[0], select[1])}|${next.slice(select[1])}`;
}

test.each<[Format, string, string]>([
  ['bold', 'a |word| b', 'a **|word|** b'],
  ['bold', 'a | word | b', 'a  **|word|**  b'],
  ['bold', '||', '**||**'],
  ['italic', '**|word|**', '***|word|***'],
  ['strike', '|gone|', '~~|gone|~~'],
  ['code', '|x = 1|', '`|x = 1|`'],
  ['code', '|one\ntwo|', '```\n|one\ntwo|\n```'],
  ['formula', '|x^2|', '$$|x^2|$$'],
  ['link', '|here|', '[here](|url|)'],
  ['link', '|https://example.com|', '[||](https://example.com)'],
  ['list', 'one\n|two\nthree|', 'one\n|* two\n* three|'],
  ['quote', 'before\n|said|', 'before\n```quote\n|said|\n```'],
  ['spoiler', '||', '```spoiler Spoiler\n||\n```'],
  ['poll', 'Lunch?||', '/poll |Lunch?|'],
])('Formatting as %s makes of %j: %j', (format, before, after) => {
  expect(press(format, before)).toBe(after);
});

test.each<[Format, string]>([
  ['bold', 'a |word| b'],
  ['italic', 'a |word| b'],
  ['italic', '**|word|**'],
  ['strike', '|gone|'],
  ['code', '|x|'],
  ['list', '|one\ntwo|'],
])('Formatting as %s twice leaves %j as it was', (format, shown) => {
  expect(press(format, press(format, shown))).toBe(shown);
});

test('A time is written with the distance of its zone from UTC', () => {
  const time = new Date(2026, 10, 18, 23, 5);
  const written = withOffset(time);
  expect(written).toMatch(/^2026-11-18T23:05:00[+-]\d\d:\d\d$/);
  expect(new Date(written).getTime()).toBe(time.getTime());
});
