/** What happens to a Bitbucket repository as a whole. */
import { isWanted, pushText, withQuote, type Circumstances } from '../git-text';
import type { Notice } from '../integration';
import type { Payload } from '../payload';
import { actor, nameOf, pageOf, repository } from './entities';

const about = (body: Payload, content: string): Notice => ({ topic: repository(body), content });

/** One push may change several branches and tags. */
function push(body: Payload, given: Circumstances): Notice | null {
  const changes = body.object('push').list('changes');
  const told = changes.map((change) => changeText(body, change));
  // Tags have no branch and are always told.
  if (!told.some(({ branch }) => branch === '' || isWanted(branch, given))) return null;
  const [only] = told;
  if (only === undefined) return null;
  if (told.length === 1)
    return {
      topic: only.branch === '' ? repository(body) : `${repository(body)} / ${only.branch}`,
      content: only.content,
    };
  return about(body, told.map(({ content }) => content).join('\n\n'));
}

function changeText(body: Payload, change: Payload): { branch: string; content: string } {
  const isGone = !change.has('new');
  const changed = change.object(isGone ? 'old' : 'new');
  const [user, name] = [actor(body), changed.text('name')];
  if (changed.text('type') === 'tag') {
    return { branch: '', content: `${user} ${isGone ? 'removed' : 'pushed'} tag [${name}](${pageOf(changed)}).` };
  }
  if (isGone) return { branch: name, content: `${user} deleted branch ${name}.` };
  const compareUrl = change.objectOr('links').has('html') ? pageOf(change) : pageOf(changed);
  if (change.isTrue('forced')) {
    const head = changed.object('target').text('hash');
    return { branch: name, content: `${user} [force pushed](${compareUrl}) to branch ${name}. Head is now ${head}.` };
  }
  const commits = change.listOr('commits').map((commit) => ({
    author: authorOf(commit),
    sha: commit.text('hash'),
    message: commit.text('message'),
    url: pageOf(commit),
  }));
  return {
    branch: name,
    content: pushText({ user, compareUrl, branch: name, commits, isCut: change.isTrue('truncated') }),
  };
}

/** Somebody without an account is known by the line in the commit alone. */
function authorOf(commit: Payload): string {
  const author = commit.object('author');
  if (author.has('user')) return nameOf(author.object('user'));
  return author.textOr('raw', 'Unknown user').split(' <', 1)[0]!;
}

function commitComment(body: Payload): Notice {
  const [comment, commit] = [body.object('comment'), body.object('commit')];
  const link = `[${commit.text('hash').slice(0, 7)}](${pageOf(commit)})`;
  const said = `${actor(body)} [commented](${pageOf(comment)}) on ${link}`;
  return about(body, withQuote(said, comment.object('content').textOr('raw', '')));
}

function commitStatus(body: Payload): Notice {
  const status = body.object('commit_status');
  const hash = /\/commit\/([0-9a-f]+)/.exec(status.object('links').object('commit').text('href'))?.[1] ?? '';
  const commit = `[${hash.slice(0, 7)}](${pageOf(body.object('repository'))}/commits/${hash})`;
  const system = `[System ${status.text('key')}](${status.text('url')})`;
  return about(body, `${system} changed status of ${commit} to ${status.text('state')}.`);
}

function fork(body: Payload): Notice {
  const copy = body.object('fork');
  return about(body, `${actor(body)} forked the repository into [${copy.text('full_name')}](${pageOf(copy)}).`);
}

/** What of a repository people care about, as Bitbucket names it. */
const ASPECTS = ['website', 'name', 'language', 'full_name', 'description'];

function updated(body: Payload): Notice | null {
  const [user, name] = [actor(body), repository(body)];
  const lines = ASPECTS.flatMap((aspect) => {
    const change = body.object('changes').objectOr(aspect);
    const [before, after] = [change.textOr('old', ''), change.textOr('new', '')];
    if (after === '') return [];
    const from = before === '' ? '' : ` from **${before}**`;
    return [`${user} changed the ${aspect.replace('_', ' ')} of the **${name}** repo${from} to **${after}**`];
  });
  return lines.length === 0 ? null : about(body, lines.map((line) => `${line}.`).join('\n'));
}

export const repositories = {
  'repo:push': push,
  'repo:fork': fork,
  'repo:updated': updated,
  'repo:commit_comment_created': commitComment,
  'repo:commit_status_created': commitStatus,
  'repo:commit_status_updated': commitStatus,
} as const;
