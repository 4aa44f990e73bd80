/** Bitbucket Cloud: pushes, pull requests, issues, comments, builds and other repository events. */
import { type Circumstances, isWanted, namesText, numberedLink, pushText, withQuote } from '../git-text';
import { type Formatted, type Integration, type Notice, unknownEvent } from '../integration';
import { lookUp, Payload } from '../payload';

/** User names come first, but accounts lost them in 2019. */
const nameOf = (user: Payload): string =>
  user.textOr('username', user.textOr('nickname', user.textOr('display_name', 'Unknown user')));

const actor = (body: Payload): string => nameOf(body.object('actor'));
const repository = (body: Payload): string => body.object('repository').text('name');
const pageOf = (thing: Payload): string => thing.object('links').object('html').text('href');

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

/** Events about a Bitbucket repository as a whole. */
const repositories = {
  'repo:push': push,
  'repo:fork': fork,
  'repo:updated': updated,
  'repo:commit_comment_created': commitComment,
  'repo:commit_status_created': commitStatus,
  'repo:commit_status_updated': commitStatus,
} as const;

const assigned = (people: readonly Payload[]): string =>
  people.length === 0 ? '' : ` (assigned to ${namesText(people.map(nameOf))})`;

const issueLink = (issue: Payload, given: Circumstances): string =>
  numberedLink(`Issue #${issue.text('id')}`, issue.text('title'), pageOf(issue), given);
const issueTopic = (body: Payload, issue: Payload): string =>
  `${repository(body)} / Issue #${issue.text('id')} ${issue.text('title')}`;

const pullLink = (pull: Payload, given: Circumstances): string =>
  numberedLink(`PR #${pull.text('id')}`, pull.text('title'), pageOf(pull), given);
const pullTopic = (body: Payload, pull: Payload): string =>
  `${repository(body)} / PR #${pull.text('id')} ${pull.text('title')}`;

function issueCreated(body: Payload, given: Circumstances): Notice {
  const issue = body.object('issue');
  const people = issue.has('assignee') ? [issue.object('assignee')] : [];
  const said = `${actor(body)} created ${issueLink(issue, given)}${assigned(people)}`;
  return { topic: issueTopic(body, issue), content: withQuote(said, issue.objectOr('content').textOr('raw', '')) };
}

const issueUpdated = (body: Payload, given: Circumstances): Notice => {
  const issue = body.object('issue');
  return { topic: issueTopic(body, issue), content: `${actor(body)} updated ${issueLink(issue, given)}.` };
};

function issueComment(body: Payload, given: Circumstances): Notice {
  const [issue, comment] = [body.object('issue'), body.object('comment')];
  const said = `${actor(body)} [commented](${pageOf(comment)}) on ${issueLink(issue, given)}`;
  return { topic: issueTopic(body, issue), content: withQuote(said, comment.objectOr('content').textOr('raw', '')) };
}

const pullWritten = (verb: string) => (body: Payload, given: Circumstances) => {
  const pull = body.object('pullrequest');
  const [from, to] = ['source', 'destination'].map((side) => pull.object(side).object('branch').text('name'));
  const said = `${actor(body)} ${verb} ${pullLink(pull, given)}${assigned(pull.listOr('reviewers'))} from \`${from}\` to \`${to}\``;
  return { topic: pullTopic(body, pull), content: withQuote(said, pull.textOr('description', '')) };
};

const pullActed = (verb: string) => (body: Payload, given: Circumstances) => {
  const pull = body.object('pullrequest');
  return { topic: pullTopic(body, pull), content: `${actor(body)} ${verb} ${pullLink(pull, given)}.` };
};

const pullComment = (verb: string) => (body: Payload, given: Circumstances) => {
  const [pull, comment] = [body.object('pullrequest'), body.object('comment')];
  const said = `${actor(body)} ${verb}(${pageOf(comment)}) on ${pullLink(pull, given)}`;
  return { topic: pullTopic(body, pull), content: withQuote(said, comment.objectOr('content').textOr('raw', '')) };
};

/** Issues and pull requests on Bitbucket, and comments on them. */
const discussions = {
  'issue:created': issueCreated,
  'issue:updated': issueUpdated,
  'issue:comment_created': issueComment,
  'pullrequest:created': pullWritten('created'),
  'pullrequest:updated': pullWritten('updated'),
  'pullrequest:approved': pullActed('approved'),
  'pullrequest:unapproved': pullActed('unapproved'),
  'pullrequest:changes_request_created': pullActed('requested changes on'),
  'pullrequest:changes_request_removed': pullActed('no longer requests changes on'),
  'pullrequest:fulfilled': pullActed('merged'),
  'pullrequest:rejected': pullActed('rejected'),
  'pullrequest:comment_created': pullComment('[commented]'),
  'pullrequest:comment_updated': pullComment('updated a [comment]'),
  'pullrequest:comment_deleted': pullComment('deleted a [comment]'),
} as const;

const formats: Readonly<Record<string, (body: Payload, given: Circumstances) => Formatted>> = {
  ...repositories,
  ...discussions,
};

export const bitbucket2: Integration = {
  name: 'bitbucket2',
  client: 'ZulipBitbucket2Webhook',
  eventHeader: 'X-Event-Key',
  deliveryHeader: 'X-Request-UUID',
  decodesAddress: true,
  format({ payload, event, ...given }) {
    const format = lookUp(formats, event);
    if (!format) throw unknownEvent('BitBucket', event);
    return format(new Payload(payload), given);
  },
};
