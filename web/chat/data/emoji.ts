/** Unicode emoji, loaded on first use, and the organisation's own. */
import { loadPart } from '../../shared/lazy-part';
import { chat } from './store';
import type { Emoji } from './actions';
import { mostUsed, usesOf } from './usage';

export interface KnownEmoji extends Emoji {
  /** The canonical name first. */
  readonly names: readonly string[];
}

let table: ReadonlyMap<string, KnownEmoji> | undefined;

export async function loadEmoji(): Promise<void> {
  if (table) return;
  const file = await loadPart(() => import('../../../src/chat/model/markdown/emoji.json'));
  fillEmoji(file.default);
}

/** Names by code, the canonical name first. */
export function fillEmoji(file: Readonly<Record<string, string>>): void {
  table = new Map(
    Object.entries(file).map(([emoji_code, text]) => {
      const names = text.split(' ');
      return [emoji_code, { emoji_name: names[0]!, emoji_code, reaction_type: 'unicode_emoji', names }];
    }),
  );
}

export const emojiUrl = (emoji: Emoji): string =>
  emoji.reaction_type === 'unicode_emoji'
    ? `/static/generated/emoji/images-google-64/${emoji.emoji_code}.png`
    : emoji.reaction_type === 'realm_emoji'
      ? (chat().emoji.get(emoji.emoji_name)?.source_url ?? '')
      : '/static/generated/emoji/images/emoji/zulip.png';

/** Two lines of the picker. */
const POPULAR =
  '+1 tada smile heart working_on_it eyes check -1 laughing pray fire joy clap rocket wave thinking'.split(' ');

const ZULIP: KnownEmoji = {
  emoji_name: 'zulip',
  emoji_code: 'zulip',
  reaction_type: 'zulip_extra_emoji',
  names: ['zulip'],
};

/** The organisation's emoji, and the one that every organisation has. */
export const ownEmoji = (): KnownEmoji[] => [
  ...[...chat().emoji.values()]
    .filter((each) => !each.deactivated)
    .map(({ name, id }) => ({ emoji_name: name, emoji_code: id, reaction_type: 'realm_emoji', names: [name] })),
  ZULIP,
];

/** An emoji of the organisation hides the Unicode emoji of its name, as in messages. */
function allEmoji(): KnownEmoji[] {
  const own = ownEmoji();
  const taken = new Set(own.map(({ emoji_name }) => emoji_name));
  const unicode = [...(table?.values() ?? [])].flatMap((each) => {
    const names = each.names.filter((name) => !taken.has(name));
    return names.length === 0 ? [] : [{ ...each, names, emoji_name: names[0]! }];
  });
  return [...own, ...unicode];
}

export const emojiByCodes = (codes: readonly string[]): KnownEmoji[] => codes.flatMap((code) => table?.get(code) ?? []);

/** What this account uses, then what many people use. */
export function frequentEmoji(most: number): readonly KnownEmoji[] {
  const byName = new Map(allEmoji().flatMap((each) => each.names.map((name) => [name, each] as const)));
  const found = [...mostUsed('emoji', most), ...POPULAR].flatMap((name) => byName.get(name) ?? []);
  return [...new Set(found)].slice(0, most);
}

/**
 * Emoji with a name that has the text: exact names first, then names that start with it, then names with a word that
 * does. Within each of these, what this account uses and what many use.
 */
export function findEmoji(text: string, most: number): readonly KnownEmoji[] {
  const wanted = text.trim().toLowerCase().replaceAll(' ', '_');
  if (wanted === '') return frequentEmoji(most);
  const uses = usesOf('emoji');
  const useOf = (name: string): number => (uses.get(name) ?? 0) + (POPULAR.includes(name) ? 0.5 : 0);
  const ranked = allEmoji().flatMap((emoji) => {
    const matches = emoji.names.flatMap((name) => {
      const rank = rankOf(name, wanted);
      return rank === undefined ? [] : [{ emoji: { ...emoji, emoji_name: name }, rank, uses: useOf(name) }];
    });
    return matches.toSorted(better).slice(0, 1);
  });
  return ranked
    .toSorted(better)
    .slice(0, most)
    .map(({ emoji }) => emoji);
}

interface Match {
  readonly emoji: KnownEmoji;
  readonly rank: number;
  readonly uses: number;
}

const better = (a: Match, b: Match): number =>
  a.rank - b.rank || b.uses - a.uses || a.emoji.emoji_name.length - b.emoji.emoji_name.length;

function rankOf(name: string, wanted: string): number | undefined {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(`_${wanted}`)) return 2;
  return name.includes(wanted) ? 3 : undefined;
}

export const THUMBS_UP: Emoji = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
