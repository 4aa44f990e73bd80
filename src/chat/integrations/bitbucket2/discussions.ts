/** Issues and pull requests on Bitbucket, and comments on them. */
import { namesText, numberedLink, withQuote, type Circumstances } from '../git-text';
import type { Notice } from '../integration';
import type { Payload } from '../payload';
import { actor, nameOf, pageOf, repository } from './entities';

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

export const discussions = {
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
