/** Sentences about commits and pull requests that read the same whichever service they come from. */

export interface Commit {
  readonly author: string;
  readonly sha: string;
  readonly message: string;
  readonly url: string;
}

/** More would push everything else out of sight. */
const MOST_COMMITS = 20;
const MOST_AUTHORS = 3;

export const quote = (text: string): string => `\n\n~~~ quote\n${text.trim()}\n~~~`;

/** A sentence that ends here, or goes on with what somebody wrote. */
export const withQuote = (sentence: string, text: string): string =>
  text.trim() === '' ? `${sentence}.` : `${sentence}:${quote(text)}`;

export function pushText(user: string, compareUrl: string, branch: string, commits: readonly Commit[]): string {
  const count = `${commits.length} commit${commits.length === 1 ? '' : 's'}`;
  const pushed = `${user} [pushed](${compareUrl}) ${count} to branch ${branch}.`;
  const authors = authorsText(user, commits);
  const bullets = commits.slice(0, MOST_COMMITS).map(({ message, sha, url }) => {
    const [subject = ''] = message.split('\n');
    return `* ${subject} ([${sha.slice(0, 7)}](${url}))`;
  });
  const more = commits.length - bullets.length;
  if (more > 0) bullets.push(`[and ${more} more commit${more === 1 ? '' : 's'}]`);
  return `${pushed}${authors}\n\n${bullets.join('\n')}`;
}

/** Said only where somebody else's work is among it. */
function authorsText(user: string, commits: readonly Commit[]): string {
  const counts = new Map<string, number>();
  for (const { author } of commits) counts.set(author, (counts.get(author) ?? 0) + 1);
  if (counts.size === 0 || (counts.size === 1 && counts.has(user))) return '';
  const ranked = [...counts].sort(([, a], [, b]) => b - a);
  const named = ranked.slice(0, MOST_AUTHORS).map(([author, count]) => `${author} (${count})`);
  const others = ranked.slice(MOST_AUTHORS).reduce((sum, [, count]) => sum + count, 0);
  if (others > 0) named.push(`others (${others})`);
  const last = named.pop();
  return ` Commits by ${named.length > 0 ? `${named.join(', ')} and ` : ''}${last}.`;
}
