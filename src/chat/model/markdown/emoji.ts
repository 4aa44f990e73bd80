/** All emoji, by name and by code. Messages and reactions share this table. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Emoji {
  /** The code points in hexadecimal, joined by dashes: `1f44d`. */
  readonly code: string;
  /** The canonical name. Aliases lead to it too. */
  readonly name: string;
}

/** Code to names, the canonical one first: exactly the codes and names of Zulip 2.1, including aliases. */
const table = JSON.parse(readFileSync(join(__dirname, 'emoji.json'), 'utf8')) as Record<string, string>;

const byCode = new Map<string, Emoji>();
const byName = new Map<string, Emoji>();
for (const [code, list] of Object.entries(table)) {
  const names = list.split(' ');
  const emoji = { code, name: names[0]! };
  byCode.set(code, emoji);
  for (const name of names) byName.set(name, emoji);
}

export const emojiByName = (name: string): Emoji | undefined => byName.get(name);
export const emojiByCode = (code: string): Emoji | undefined => byCode.get(code);

/** For clients that let people choose from all emoji. */
export const codeToNames = (): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(table).map(([code, names]) => [code, names.split(' ')]));

/** Whether the name belongs to the code. */
export const isEmoji = (name: string, code: string): boolean => byName.get(name)?.code === code;

/** Not part of Unicode, but every Zulip client shows it. */
export const ZULIP_EMOJI = { name: 'zulip', url: '/static/generated/emoji/images/emoji/unicode/zulip.png' } as const;
