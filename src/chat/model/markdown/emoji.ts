/** Which emoji there are, by name and by code; messages and reactions use the same table. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Emoji {
  /** The code points in hexadecimal, joined by dashes: `1f44d`. */
  readonly code: string;
  /** The canonical name; others lead to it too. */
  readonly name: string;
  readonly names: readonly string[];
}

/** Code to names, the canonical one first: exactly the codes and names that Zulip 2.1 has, aliases included. */
const table = JSON.parse(readFileSync(join(__dirname, 'emoji.json'), 'utf8')) as Record<string, string>;

const byCode = new Map<string, Emoji>();
const byName = new Map<string, Emoji>();
for (const [code, list] of Object.entries(table)) {
  const names = list.split(' ');
  const emoji = { code, name: names[0]!, names };
  byCode.set(code, emoji);
  for (const name of names) byName.set(name, emoji);
}

export const emojiByName = (name: string): Emoji | undefined => byName.get(name);
export const emojiByCode = (code: string): Emoji | undefined => byCode.get(code);

/** Whether a client may use this name for this code. */
export const isEmoji = (name: string, code: string): boolean => byName.get(name)?.code === code;

/** Not Unicode's, but every client of this protocol draws it. */
export const ZULIP_EMOJI = { name: 'zulip', url: '/static/generated/emoji/images/emoji/unicode/zulip.png' } as const;
