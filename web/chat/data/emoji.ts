/** Unicode emoji, loaded on first use, and the organisation's own. */
import { loadPart } from '../../shared/lazy-part';
import { chat } from './store';
import type { Emoji } from './actions';

interface KnownEmoji extends Emoji {
  readonly names: readonly string[];
}

let table: readonly KnownEmoji[] | undefined;

export async function loadEmoji(): Promise<void> {
  if (table) return;
  const file = await loadPart(() => import('../../../src/chat/model/markdown/emoji.json'));
  table = Object.entries(file.default as Record<string, string>).map(([emoji_code, text]) => {
    const names = text.split(' ');
    return { emoji_name: names[0]!, emoji_code, reaction_type: 'unicode_emoji', names };
  });
  table = [...table.filter(isFace), ...table.filter((each) => !isFace(each))];
}

/** Faces and hands rank first, because people want them most. */
const isFace = ({ emoji_code }: KnownEmoji): boolean => /^1f(6[0-4]|44|91)/.test(emoji_code);

export const emojiUrl = (emoji: Emoji): string =>
  emoji.reaction_type === 'unicode_emoji'
    ? `/static/generated/emoji/images-google-64/${emoji.emoji_code}.png`
    : emoji.reaction_type === 'realm_emoji'
      ? (chat().emoji.get(emoji.emoji_name)?.source_url ?? '')
      : '/static/generated/emoji/images/emoji/zulip.png';

const POPULAR = [
  '+1',
  'tada',
  'smile',
  'heart',
  'working_on_it',
  'octopus',
  'eyes',
  'check',
  '-1',
  'laughing',
  'pray',
  'fire',
];

/** Names that start with the text come first. */
export function findEmoji(text: string, most: number): readonly Emoji[] {
  const wanted = text.toLowerCase().replaceAll(' ', '_');
  const custom: KnownEmoji[] = [...chat().emoji.values()]
    .filter((each) => !each.deactivated)
    .map((each) => ({ emoji_name: each.name, emoji_code: each.id, reaction_type: 'realm_emoji', names: [each.name] }));
  const all = [...custom, ...(table ?? [])];
  if (wanted === '') return [...byNames(all, POPULAR), ...all].slice(0, most);
  const ranked = all.flatMap((each) => {
    const name = each.names.find((one) => one.startsWith(wanted)) ?? each.names.find((one) => one.includes(wanted));
    return name === undefined ? [] : [{ emoji: { ...each, emoji_name: name }, rank: rankOf(name, wanted) }];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ emoji }) => emoji);
}

const rankOf = (name: string, wanted: string): number => (name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2);

const byNames = (all: readonly KnownEmoji[], names: readonly string[]): KnownEmoji[] =>
  names.flatMap((name) => all.find((each) => each.names.includes(name)) ?? []);

export const THUMBS_UP: Emoji = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
