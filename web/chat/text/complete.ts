/** Completions for the word before the caret: people, groups, streams, topics, emoji, slash commands. */
import { t } from '../../shared/texts/texts';
import { emojiUrl, findEmoji, loadEmoji } from '../data/emoji';
import { findPeople } from '../data/find-people';
import { bestMatches } from '../data/rank';
import { chat, setting } from '../data/store';
import { loadTopics } from '../data/topics';
import { noteUse } from '../data/usage';
import type { Person } from '../data/wire';
import { aboutOf } from '../recent/last-words';
import { COMMANDS } from './commands';

export interface Completion {
  /** Where the replaced word begins. */
  readonly from: number;
  readonly text: string;
  readonly name: string;
  readonly hint: string;
  readonly picture?: string;
  readonly person?: Person;
  /** Remembers that it was used. */
  readonly note?: () => void;
}

const MAX = 8;

export async function completionsAt(before: string): Promise<readonly Completion[]> {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const topic = /#(?:\*\*([^*>]+)>([^*]*)|([^\s*>#][^*>#]*)>([^*>\s]*))$/.exec(line);
  if (topic) {
    const found = await topicsLike(topic[1] ?? topic[3]!, topic[2] ?? topic[4]!, before.length - topic[0].length);
    if (found) return found;
  }
  const word = /(?:^|[\s(])(@_?|#|:)(?:\*\*)?([^\s@#:*]*(?: [^\s@#:*]+)?)$/.exec(line);
  if (word) {
    const from = before.length - word[0].length + word[0].indexOf(word[1]!);
    const wanted = word[2]!.toLowerCase();
    if (word[1] === '#') return streamsLike(wanted, from);
    if (word[1] === ':') return emojiLike(wanted, from);
    return peopleLike(wanted, from, word[1] === '@_' ? '@_' : '@');
  }
  return /^\/\w*$/.test(before) ? commandsLike(before) : [];
}

function peopleLike(wanted: string, from: number, sign: string): Completion[] {
  const found = findPeople(wanted, MAX).map((person) => ({
    from,
    text: `${sign}**${nameFor(person)}** `,
    name: person.full_name,
    hint: person.email,
    person,
    note: () => noteUse('people', String(person.user_id)),
  }));
  const all = sign === '@' && wanted !== '' && 'all'.startsWith(wanted);
  const everyone = all ? [{ from, text: '@**all** ', name: 'all', hint: t('compose.everyone') }] : [];
  return [...found.slice(0, MAX - 2), ...groupsLike(wanted, from, sign), ...everyone, ...found.slice(MAX - 2)].slice(
    0,
    MAX,
  );
}

/** People with the same name are told apart by id. */
function nameFor(person: Person): string {
  const isShared = [...chat().people.values()].some(
    (other) => other.user_id !== person.user_id && other.full_name === person.full_name,
  );
  return isShared ? `${person.full_name}|${person.user_id}` : person.full_name;
}

interface Group {
  readonly name: string;
  readonly description: string;
}

function groupsLike(wanted: string, from: number, sign: string): Completion[] {
  const groups = setting<readonly Group[]>('realm_user_groups', []);
  return bestMatches(groups, wanted, { nameOf: ({ name }) => name, most: 2 }).map(({ name, description }) => ({
    from,
    text: `${sign}*${name}* `,
    name,
    hint: description,
  }));
}

function streamsLike(wanted: string, from: number): Completion[] {
  const { streams, subscriptions } = chat();
  const current = [...streams.values()].filter((each) => !each.is_archived);
  return bestMatches(current, wanted, {
    nameOf: ({ name }) => name,
    weightOf: ({ stream_id }) => Number(subscriptions.has(stream_id)),
    most: MAX,
  }).map((stream) => ({ from, text: `#**${stream.name}** `, name: stream.name, hint: aboutOf(stream) }));
}

/** Undefined if there is no such stream. */
async function topicsLike(streamName: string, wanted: string, from: number): Promise<Completion[] | undefined> {
  const lower = streamName.toLowerCase();
  const stream = [...chat().streams.values()].find(({ name }) => name.toLowerCase() === lower);
  if (!stream) return undefined;
  await loadTopics(stream.stream_id);
  const topics = chat().topics.get(stream.stream_id) ?? [];
  return bestMatches(topics, wanted, { nameOf: ({ name }) => name, most: MAX }).map(({ name }) => ({
    from,
    text: `#**${stream.name}>${name}** `,
    name,
    hint: stream.name,
  }));
}

async function emojiLike(wanted: string, from: number): Promise<Completion[]> {
  if (wanted.length < 2) return [];
  await loadEmoji();
  return findEmoji(wanted, MAX).map((emoji) => ({
    from,
    text: `:${emoji.emoji_name}: `,
    name: emoji.emoji_name.replaceAll('_', ' '),
    hint: `:${emoji.emoji_name}:`,
    picture: emojiUrl(emoji),
    note: () => noteUse('emoji', emoji.emoji_name),
  }));
}

function commandsLike(typed: string): Completion[] {
  return COMMANDS.filter(({ name }) => name.startsWith(typed) && name !== typed).map(({ name, text, takesWords }) => ({
    from: 0,
    text: takesWords ? `${name} ` : name,
    name,
    hint: t(text),
  }));
}
