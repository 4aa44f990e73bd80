import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emojiByCode, emojiByName, isEmoji } from '../../../../src/chat/model/markdown/emoji';
import { checkEmoji, emojiOf } from '../../../../src/chat/model/messages/reaction';
import { getEmojiImage } from '../../../../src/chat/queries/uploads/find-picture';
import { emoji, html } from './organisation';

const table = JSON.parse(
  readFileSync(join(__dirname, '../../../../src/chat/model/markdown/emoji.json'), 'utf8'),
) as Record<string, string>;
const pairs = Object.entries(table).flatMap(([code, names]) => names.split(' ').map((name) => [name, code] as const));

const checksum = (some: readonly (readonly [string, string])[]) =>
  createHash('sha256')
    .update(
      some
        .map((pair) => pair.join(' '))
        .sort()
        .join('\n'),
    )
    .digest('hex');

test('The table has the 1,036 codes and 1,552 names of Zulip 2.1', () => {
  expect(Object.keys(table)).toHaveLength(1036);
  expect(new Set(pairs.map(([name]) => name)).size).toBe(1552);
  expect(checksum(pairs)).toBe('ffc80a3f6879970b4bf0add008a829d687295868ac9f38e74f33d22295fe5982');
});

test('The canonical names are those of Zulip 2.1', () => {
  const canonical = Object.keys(table).map((code) => [emojiByCode(code)!.name, code] as const);
  expect(checksum(canonical)).toBe('6913179d0b4aa5e4c3e043240ebedc5c83e483731142177d64115fccb781c7cd');
});

test('Every name renders as the emoji of its code', () => {
  for (const [name, code] of pairs) expect(html(`:${name}:`)).toBe(`<p>${emoji(name, code)}</p>`);
});

test('Every name works as a reaction, alone or with its code', () => {
  for (const [name, code] of pairs) {
    const expected = { name, code, type: 'unicode_emoji' };
    expect(emojiOf({ name }, [])).toEqual(expected);
    expect(() => checkEmoji(expected, [])).not.toThrow();
  }
});

test('An emoji with a skin tone renders as the emoji and the tone, and is no reaction', () => {
  for (const tone of ['1f3fb', '1f3fc', '1f3fd', '1f3fe', '1f3ff']) {
    const character = String.fromCodePoint(Number.parseInt(tone, 16));
    expect(html(`\u{1f44d}${character}`)).toBe(`<p>${emoji('+1', '1f44d')}${character}</p>`);
    expect(emojiByCode(tone)).toBeUndefined();
    expect(emojiByCode(`1f44d-${tone}`)).toBeUndefined();
    expect(isEmoji('+1', `1f44d-${tone}`)).toBe(false);
  }
});

test('Every emoji has a picture', async () => {
  const missing: string[] = [];
  for (const code of Object.keys(table)) {
    const bytes = await getEmojiImage(code);
    if (bytes?.subarray(1, 4).toString() !== 'PNG') missing.push(code);
  }
  expect(missing).toEqual([]);
});

test('A name with the code of another emoji is no reaction', () => {
  for (const [index, [name]] of pairs.entries()) {
    const [, code] = pairs.at(index - 40)!;
    expect(isEmoji(name, code)).toBe(false);
  }
});

test.each([
  ['x', '274e'],
  ['football', '26bd'],
  ['train', '1f682'],
  ['working_on_it', '1f6e0'],
])('The name %s belongs to the emoji with the code %s', (name, code) => expect(emojiByName(name)?.code).toBe(code));
