/** The lines of the emoji picker: titles of groups, and emoji below them. */
import { emojiByCodes, findEmoji, frequentEmoji, ownEmoji, type KnownEmoji } from '../data/emoji';
import GROUPS from './groups.json';

export interface Grid {
  readonly perLine: number;
  readonly lineHeight: number;
}

export const GRIDS = { pointer: { perLine: 8, lineHeight: 36 }, fingers: { perLine: 6, lineHeight: 44 } } as const;
const FREQUENT_LINES = 2;

export type GroupName = 'frequent' | 'own' | keyof typeof GROUPS;
type GroupTitle = `emoji.group.${GroupName}`;

export interface EmojiGroup {
  readonly name: GroupName;
  readonly title: GroupTitle;
  /** Shown on the button that leads to the group: one of its emoji. */
  readonly sign: string;
  readonly emoji: readonly KnownEmoji[];
}

export type Line = { readonly title: GroupTitle } | { readonly first: number; readonly emoji: readonly KnownEmoji[] };

const SIGNS: Readonly<Record<GroupName, string>> = {
  frequent: '1f557',
  people: '1f642',
  nature: '1f431',
  food: '1f34e',
  activities: '26bd',
  places: '1f697',
  objects: '1f4a1',
  symbols: '2764',
  flags: '1f3c1',
  own: '1f3e0',
};

/** Each emoji once in its group; those that are used often also in front. */
export function emojiGroups({ perLine }: Grid): EmojiGroup[] {
  const names = Object.keys(GROUPS) as (keyof typeof GROUPS)[];
  const all: [GroupName, readonly KnownEmoji[]][] = [
    ['frequent', frequentEmoji(perLine * FREQUENT_LINES)],
    ...names.map((name): [GroupName, KnownEmoji[]] => [name, emojiByCodes(GROUPS[name].split(' '))]),
    ['own', ownEmoji()],
  ];
  return all.map(([name, emoji]) => ({ name, title: `emoji.group.${name}`, sign: SIGNS[name], emoji }));
}

export function linesOfGroups(groups: readonly EmojiGroup[], { perLine }: Grid): Line[] {
  let first = 0;
  return groups.flatMap(({ title, emoji }) => {
    const lines = linesOf(emoji, first, perLine);
    first += emoji.length;
    return [{ title }, ...lines];
  });
}

/** All emoji that have the text, the best first. */
export const linesOfSearch = (text: string, { perLine }: Grid): Line[] =>
  linesOf(findEmoji(text, Infinity), 0, perLine);

function linesOf(emoji: readonly KnownEmoji[], first: number, perLine: number): Line[] {
  const starts = Array.from({ length: Math.ceil(emoji.length / perLine) }, (_, line) => line * perLine);
  return starts.map((at) => ({ first: first + at, emoji: emoji.slice(at, at + perLine) }));
}

/** The position above, below or beside another: up and down pass over titles and stay in their column. */
export function positionFrom(lines: readonly Line[], from: number, key: string): number {
  const rows = lines.filter((line) => 'emoji' in line);
  const row = rows.findIndex(({ first, emoji }) => from >= first && from < first + emoji.length);
  const last = rows.at(-1);
  if (row === -1 || !last) return 0;
  if (key === 'ArrowRight') return Math.min(from + 1, last.first + last.emoji.length - 1);
  if (key === 'ArrowLeft') return Math.max(from - 1, 0);
  const next = rows[key === 'ArrowDown' ? row + 1 : row - 1];
  if (!next) return from;
  return next.first + Math.min(from - rows[row]!.first, next.emoji.length - 1);
}
