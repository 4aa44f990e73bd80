/** Completions for the word before the caret: people, streams, topics, emoji, slash commands. */
import { t } from '../../shared/texts/texts';
import { emojiUrl, findEmoji, loadEmoji } from '../data/emoji';
import { chat } from '../data/store';
import { loadTopics } from '../data/topics';
import type { Person } from '../data/wire';
import { COMMANDS } from './commands';

export interface Completion {
  /** Where the replaced word begins. */
  readonly from: number;
  readonly text: string;
  readonly name: string;
  readonly hint: string;
  readonly picture?: string;
}

const MAX = 8;

export async function completionsAt(before: string): Promise<readonly Completion[]> {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const topic = /#\*\*([^*>]+)>([^*]*)$/.exec(line);
  if (topic) return topicsLike(topic[1]!, topic[2]!, before.length - topic[0].length);
  const word = /(?:^|[\s(])(@_?|#|:)([^\s@#:*]*(?: [^\s@#:*]+)?)$/.exec(line);
  if (word) {
    const from = before.length - word[1]!.length - word[2]!.length;
    const wanted = word[2]!.toLowerCase();
    if (word[1] === '#') return streamsLike(wanted, from);
    if (word[1] === ':') return emojiLike(wanted, from);
    return peopleLike(wanted, from, word[1] === '@_' ? '@_' : '@');
  }
  return /^\/\w*$/.test(before) ? commandsLike(before) : [];
}

function peopleLike(wanted: string, from: number, sign: string): Completion[] {
  const people = [...chat().people.values()].filter(({ user_id }) => !chat().inactive.has(user_id));
  const found = ranked(people, wanted).map((person) => ({
    from,
    text: `${sign}**${nameFor(person, people)}** `,
    name: person.full_name,
    hint: person.email,
  }));
  const all = sign === '@' && 'all'.startsWith(wanted);
  return [...found, ...(all ? [{ from, text: '@**all** ', name: 'all', hint: t('compose.everyone') }] : [])].slice(
    0,
    MAX,
  );
}

/** People with the same name are told apart by id. */
const nameFor = (person: Person, people: readonly Person[]): string =>
  people.some((other) => other !== person && other.full_name === person.full_name)
    ? `${person.full_name}|${person.user_id}`
    : person.full_name;

function ranked(people: readonly Person[], wanted: string): Person[] {
  const rankOf = (person: Person): number => {
    const name = person.full_name.toLowerCase();
    if (name.startsWith(wanted)) return 0;
    if (name.split(/\s+/).some((part) => part.startsWith(wanted))) return 1;
    return person.email.toLowerCase().startsWith(wanted) ? 2 : 9;
  };
  return people
    .map((person) => ({ person, rank: rankOf(person) + (person.is_bot ? 0.5 : 0) }))
    .filter(({ rank }) => rank < 9)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX)
    .map(({ person }) => person);
}

function streamsLike(wanted: string, from: number): Completion[] {
  return [...chat().streams.values()]
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((a, b) => Number(b.name.toLowerCase().startsWith(wanted)) - Number(a.name.toLowerCase().startsWith(wanted)))
    .slice(0, MAX)
    .map(({ name, description }) => ({ from, text: `#**${name}** `, name, hint: description }));
}

async function topicsLike(streamName: string, wanted: string, from: number): Promise<Completion[]> {
  const stream = [...chat().streams.values()].find(({ name }) => name === streamName);
  if (!stream) return [];
  await loadTopics(stream.stream_id);
  const topics = chat().topics.get(stream.stream_id) ?? [];
  return topics
    .filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
    .slice(0, MAX)
    .map(({ name }) => ({ from, text: `#**${streamName}>${name}** `, name, hint: streamName }));
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
