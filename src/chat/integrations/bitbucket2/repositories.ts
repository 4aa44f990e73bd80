/** Events about a Bitbucket repository as a whole. */
import { isWanted, pushText, withQuote, type Circumstances } from '../git-text';
import type { Notice } from '../integration';
import type { Payload } from '../payload';
import { actor, nameOf, pageOf, repository } from './entities';

const about = (body: Payload, content: string): Notice => ({ topic: repository(body), content });

/** One push may change several branches and tags, each with its own topic. The branch filter does not apply to tags. */
function push(body: Payload, given: Circumstances): readonly Notice[] {
  return body
    .object('push')
    .list('changes')
    .flatMap((change) => changeNotice(body, change, given) ?? []);
}

function changeNotice(body: Payload, change: Payload, given: Circumstances): Notice | null {
  const isGone = !change.has('new');
  const changed = change.object(isGone ? 'old' : 'new');
  const [user, name] = [actor(body), changed.text('name')];
  if (changed.text('type') === 'tag')
    return about(body, `${user} ${isGone ? 'removed' : 'pushed'} tag [${name}](${pageOf(changed)}).`);
  if (!isWanted(name, given)) return null;
  const topic = `${repository(body)} / ${name}`;
  return { topic, content: isGone ? `${user} deleted branch ${name}.` : branchText(user, change, changed) };
}

function branchText(user: string, change: Payload, changed: Payload): string {
  const branch = changed.text('name');
  const compareUrl = change.objectOr('links').has('html') ? pageOf(change) : pageOf(changed);
  if (change.isTrue('forced')) {
    const head = changed.object('target').text('hash');
    return `${user} [force pushed](${compareUrl}) to branch ${branch}. Head is now ${head}.`;
  }
  const commits = change.listOr('commits').map((commit) => ({
    author: authorOf(commit),
    sha: commit.text('hash'),
    message: commit.text('message'),
    url: pageOf(commit),
  }));
  return pushText({ user, compareUrl, branch, commits, isCut: change.isTrue('truncated') });
}

/** An author without an account is known only from the commit's author line. */
function authorOf(commit: Payload): string {
  const author = commit.object('author');
  if (author.has('user')) return nameOf(author.object('user'));
  return author.textOr('raw', 'Unknown user').split(' <', 1)[0]!;
}

function commitComment(body: Payload): Notice {
  const comment = body.object('comment');
  // Older events describe the commit only inside the comment.
  const commit = comment.has('commit') ? comment.object('commit') : body.object('commit');
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

/** The repository properties worth reporting, with Bitbucket's names. */
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
