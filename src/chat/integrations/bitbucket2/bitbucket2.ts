/** Bitbucket Cloud: pushes, pull requests, issues, comments, builds and other repository events. */
import { byEvent, type Circumstances, isWanted, namesText, numbered, pushText, withQuote } from '../git-text';
import type { Integration, Notice } from '../integration';
import type { Payload } from '../payload';

/** User names come first, but accounts lost them in 2019. */
const nameOf = (user: Payload): string =>
  user.textOr('username', user.textOr('nickname', user.textOr('display_name', 'Unknown user')));

const actor = (body: Payload): string => nameOf(body.object('actor'));
const repository = (body: Payload): string => body.object('repository').text('name');
const pageOf = (thing: Payload): string => thing.object('links').object('html').text('href');

/** What somebody wrote; empty if nothing. */
const rawOf = (thing: Payload): string => thing.objectOr('content').textOr('raw', '');

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

const assigned = (people: readonly Payload[]): string =>
  people.length === 0 ? '' : ` (assigned to ${namesText(people.map(nameOf))})`;

const numberedAs = (word: string, body: Payload, thing: Payload, given: Circumstances) => {
  const name = `${word} #${thing.text('id')}`;
  return numbered({ repository: repository(body), name, title: thing.text('title'), url: pageOf(thing) }, given);
};

function issueCreated(body: Payload, given: Circumstances): Notice {
  const issue = body.object('issue');
  const { topic, link } = numberedAs('Issue', body, issue, given);
  const people = issue.has('assignee') ? [issue.object('assignee')] : [];
  return { topic, content: withQuote(`${actor(body)} created ${link}${assigned(people)}`, rawOf(issue)) };
}

const pullWritten = (verb: string) => (body: Payload, given: Circumstances) => {
  const pull = body.object('pullrequest');
  const { topic, link } = numberedAs('PR', body, pull, given);
  const [from, to] = ['source', 'destination'].map((side) => pull.object(side).object('branch').text('name'));
  const said = `${actor(body)} ${verb} ${link}${assigned(pull.listOr('reviewers'))} from \`${from}\` to \`${to}\``;
  return { topic, content: withQuote(said, pull.textOr('description', '')) };
};

/** The word for each thing that people act on. */
const WORDS = { issue: 'Issue', pullrequest: 'PR' } as const;

const acted = (verb: string, on: keyof typeof WORDS) => (body: Payload, given: Circumstances) => {
  const { topic, link } = numberedAs(WORDS[on], body, body.object(on), given);
  return { topic, content: `${actor(body)} ${verb} ${link}.` };
};

const commented = (verb: string, on: keyof typeof WORDS) => (body: Payload, given: Circumstances) => {
  const { topic, link } = numberedAs(WORDS[on], body, body.object(on), given);
  const comment = body.object('comment');
  return { topic, content: withQuote(`${actor(body)} ${verb}(${pageOf(comment)}) on ${link}`, rawOf(comment)) };
};

export const bitbucket2: Integration = {
  name: 'bitbucket2',
  client: 'ZulipBitbucket2Webhook',
  eventHeader: 'X-Event-Key',
  deliveryHeader: 'X-Request-UUID',
  decodesAddress: true,
  format: byEvent('BitBucket', {
    'repo:push': push,
    'repo:fork': fork,
    'repo:updated': updated,
    'repo:commit_comment_created': commitComment,
    'repo:commit_status_created': commitStatus,
    'repo:commit_status_updated': commitStatus,
    'issue:created': issueCreated,
    'issue:updated': acted('updated', 'issue'),
    'issue:comment_created': commented('[commented]', 'issue'),
    'pullrequest:created': pullWritten('created'),
    'pullrequest:updated': pullWritten('updated'),
    'pullrequest:approved': acted('approved', 'pullrequest'),
    'pullrequest:unapproved': acted('unapproved', 'pullrequest'),
    'pullrequest:changes_request_created': acted('requested changes on', 'pullrequest'),
    'pullrequest:changes_request_removed': acted('no longer requests changes on', 'pullrequest'),
    'pullrequest:fulfilled': acted('merged', 'pullrequest'),
    'pullrequest:rejected': acted('rejected', 'pullrequest'),
    'pullrequest:comment_created': commented('[commented]', 'pullrequest'),
    'pullrequest:comment_updated': commented('updated a [comment]', 'pullrequest'),
    'pullrequest:comment_deleted': commented('deleted a [comment]', 'pullrequest'),
  }),
};
