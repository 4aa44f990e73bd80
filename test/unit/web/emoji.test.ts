import { readFileSync } from 'node:fs';
import type * as Emoji from '../../../web/chat/data/emoji';
import type * as Lines from '../../../web/chat/emoji/emoji-lines';
import type * as Usage from '../../../web/chat/data/usage';

const stored = new Map<string, string>();
Object.assign(globalThis, {
  localStorage: {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  },
});

const table = JSON.parse(readFileSync('src/chat/model/markdown/emoji.json', 'utf8')) as Record<string, string>;

describe('The emoji of the page', () => {
  const { fillEmoji, findEmoji } = require('../../../web/chat/data/emoji') as typeof Emoji;
  const lines = require('../../../web/chat/emoji/emoji-lines') as typeof Lines;
  const { noteUse } = require('../../../web/chat/data/usage') as typeof Usage;
  const namesFor = (text: string) => findEmoji(text, 8).map(({ emoji_name }) => emoji_name);

  beforeAll(() => fillEmoji(table));
  afterEach(() => stored.clear());

  test('A search for emoji offers the most likely one first, and nothing that does not have the text', () => {
    expect(namesFor('smi')[0]).toBe('smile');
    expect(namesFor('heart')[0]).toBe('heart');
    expect(namesFor('thumbs')).toEqual(['thumbs_up', 'thumbs_down']);
    expect(namesFor('zqx')).toEqual([]);
    expect(findEmoji('cat', Infinity).every(({ names }) => names.some((name) => name.includes('cat')))).toBe(true);
  });

  test('An emoji that was used often is offered before others that match as well', () => {
    expect(namesFor('smil')[0]).toBe('smile');
    for (let time = 0; time < 2; time += 1) noteUse('emoji', 'smiley_cat');
    expect(namesFor('smil')[0]).toBe('smiley_cat');
    expect(findEmoji('', 3)[0]?.emoji_name).toBe('smiley_cat');
  });

  test('The groups of the picker hold every emoji once', () => {
    const [frequent, ...groups] = lines.emojiGroups(lines.GRIDS.pointer);
    expect(frequent?.name).toBe('frequent');
    const codes = groups.flatMap(({ emoji }) => emoji.map(({ emoji_code }) => emoji_code));
    expect(codes.toSorted()).toEqual([...Object.keys(table), 'zulip'].toSorted());
  });

  test('The arrow keys go through the lines of emoji, past titles, and stop at the ends', () => {
    const all = lines.linesOfGroups(lines.emojiGroups(lines.GRIDS.pointer), lines.GRIDS.pointer);
    const last = all.flatMap((line) => ('emoji' in line ? line.emoji : [])).length - 1;
    expect(lines.positionFrom(all, 0, 'ArrowRight')).toBe(1);
    expect(lines.positionFrom(all, 0, 'ArrowUp')).toBe(0);
    expect(lines.positionFrom(all, 3, 'ArrowDown')).toBe(11);
    expect(lines.positionFrom(all, 11, 'ArrowUp')).toBe(3);
    expect(lines.positionFrom(all, last, 'ArrowRight')).toBe(last);
  });
});
