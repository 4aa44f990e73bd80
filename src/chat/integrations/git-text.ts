/** Common sentences about commits and pull requests, for all services. */
import type { Delivered, Formatted, Integration } from './integration';
import { entryOf, Payload } from './payload';
import { linkTo } from './text';

interface Commit {
  readonly author: string;
  readonly sha: string;
  readonly message: string;
  readonly url: string;
}

/** More commits would push everything else out of view. */
const MAX_COMMITS = 20;
const MAX_AUTHORS = 3;

/** A fence that the text cannot close: it is longer than any inside. */
export function fenceAround(text: string, sign: '~' | '`'): string {
  const inside = text.match(new RegExp(`${sign}{3,}`, 'g')) ?? [];
  return sign.repeat(inside.reduce((longest, fence) => Math.max(longest, fence.length), 2) + 1);
}

export function quote(text: string): string {
  const fence = fenceAround(text, '~');
  return `\n\n${fence} quote\n${text.trim()}\n${fence}`;
}

/** A sentence that ends here, or continues with quoted text. */
export const withQuote = (sentence: string, text: string): string =>
  text.trim() === '' ? `${sentence}.` : `${sentence}:${quote(text)}`;

/** "A", "A and B", "A, B and C". */
export const namesText = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** A substring test, which is how Zulip interprets `branches=master,development`. */
export const isWanted = (branch: string, { branches }: Circumstances): boolean =>
  branches === undefined || branches.includes(branch);

/** What a message depends on besides the payload. */
export type Circumstances = Pick<Delivered, 'branches' | 'isTopicGiven'>;

/** Formats for the events of a service, by their names. */
export type EventFormats = Readonly<Record<string, (body: Payload, given: Circumstances) => Formatted>>;

export const byEvent =
  (service: string, formats: EventFormats): Integration['format'] =>
  ({ payload, event, ...given }) =>
    entryOf(formats, event, service)(new Payload(payload), given);

/** An issue or a pull request, named "PR #5". */
interface Numbered {
  readonly repository: string;
  readonly name: string;
  readonly title: string;
  readonly url: string;
}

/** Its topic, and a link to it: "[PR #5](url)"; with the title if the URL sets another topic. */
export function numbered({ repository, name, title, url }: Numbered, { isTopicGiven = false }: Circumstances) {
  const full = `${name} ${title}`;
  return { topic: `${repository} / ${full}`, link: linkTo(isTopicGiven ? full : name, url) };
}

interface Push {
  readonly user: string;
  /** Absent if the service has no page that compares. */
  readonly compareUrl?: string;
  readonly branch: string;
  readonly commits: readonly Commit[];
  /** The total, if the service lists only some. */
  readonly total?: number;
  /** There are more, and the service does not say how many. */
  readonly isCut?: boolean;
}

export function pushText({ user, compareUrl, branch, commits, total = commits.length, isCut = false }: Push): string {
  const did = compareUrl === undefined ? 'pushed' : `[pushed](${compareUrl})`;
  if (commits.length === 0) return `${user} ${did} the branch ${branch}.`;
  const count = `${total}${isCut ? '+' : ''} commit${total === 1 && !isCut ? '' : 's'}`;
  const pushed = `${user} ${did} ${count} to branch ${branch}.`;
  const authors = authorsText(user, commits);
  const bullets = commits.slice(0, MAX_COMMITS).map(({ message, sha, url }) => {
    const [subject = ''] = message.split('\n');
    return `* ${subject} ([${sha.slice(0, 7)}](${url}))`;
  });
  const more = total - bullets.length;
  if (isCut) bullets.push('[and more commit(s)]');
  else if (more > 0) bullets.push(`[and ${more} more commit${more === 1 ? '' : 's'}]`);
  return `${pushed}${authors}\n\n${bullets.join('\n')}`;
}

/** Shown only if others than the pusher are among the authors. */
function authorsText(user: string, commits: readonly Commit[]): string {
  const counts = new Map<string, number>();
  for (const { author } of commits) counts.set(author, (counts.get(author) ?? 0) + 1);
  if (counts.size === 0 || (counts.size === 1 && counts.has(user))) return '';
  const ranked = [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  const named = ranked.slice(0, MAX_AUTHORS).map(([author, count]) => `${author} (${count})`);
  const others = ranked.slice(MAX_AUTHORS).reduce((sum, [, count]) => sum + count, 0);
  if (others > 0) named.push(`others (${others})`);
  return ` Commits by ${namesText(named)}.`;
}
