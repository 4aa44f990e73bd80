/** Issues and pull requests on GitHub, and what people say about them. */
import type { Notice } from '../integration';
import { lookUp } from '../look-up';
import type { Payload } from '../payload';
import { numberedLink, withQuote, type Circumstances } from '../git-text';

/** Noise beside the change itself. */
const QUIET_ACTIONS = new Set([
  'labeled',
  'unlabeled',
  'review_request_removed',
  'milestoned',
  'demilestoned',
  'pinned',
  'unpinned',
]);

const repository = (body: Payload): string => body.object('repository').text('name');
const sender = (body: Payload): string => body.object('sender').text('login');

const pullTopic = (body: Payload, pull: Payload): string =>
  `${repository(body)} / PR #${pull.text('number')} ${pull.text('title')}`;
const issueTopic = (body: Payload, issue: Payload): string =>
  `${repository(body)} / Issue #${issue.text('number')} ${issue.text('title')}`;

const pullLink = (pull: Payload, given: Circumstances): string =>
  numberedLink(`PR #${pull.text('number')}`, pull.text('title'), pull.text('html_url'), given);
const issueLink = (issue: Payload, given: Circumstances): string =>
  numberedLink(`Issue #${issue.text('number')}`, issue.text('title'), issue.text('html_url'), given);

function pullRequest(body: Payload, given: Circumstances): Notice | null {
  const action = body.text('action');
  if (QUIET_ACTIONS.has(action)) return null;
  const pull = body.object('pull_request');
  const link = pullLink(pull, given);
  const topic = pullTopic(body, pull);
  const user = sender(body);
  switch (action) {
    case 'opened':
    case 'edited': {
      const branches = `from \`${pull.object('head').text('ref')}\` to \`${pull.object('base').text('ref')}\``;
      return { topic, content: withQuote(`${user} ${action} ${link} ${branches}`, pull.textOr('body', '')) };
    }
    case 'synchronize':
      return { topic, content: `${user} updated ${link}.` };
    case 'closed':
      return {
        topic,
        content: `${user} ${pull.textOr('merged', 'false') === 'true' ? 'merged' : 'closed without merge'} ${link}.`,
      };
    case 'assigned':
    case 'unassigned':
      return {
        topic,
        content: `${user} ${action} ${body.object('assignee').text('login')} ${action === 'assigned' ? 'to' : 'from'} ${link}.`,
      };
    case 'review_requested': {
      const reviewer = body.has('requested_reviewer') ? body.object('requested_reviewer').text('login') : 'a team';
      return { topic, content: `${user} requested ${reviewer} for a review on ${link}.` };
    }
    default:
      return { topic, content: `${user} ${action.replaceAll('_', ' ')} ${link}.` };
  }
}

function issue(body: Payload, given: Circumstances): Notice | null {
  const action = body.text('action');
  if (QUIET_ACTIONS.has(action)) return null;
  const about = body.object('issue');
  const said = `${sender(body)} ${action.replaceAll('_', ' ')} ${issueLink(about, given)}`;
  const isWritten = action === 'opened' || action === 'edited';
  return {
    topic: issueTopic(body, about),
    content: isWritten ? withQuote(said, about.textOr('body', '')) : `${said}.`,
  };
}

function issueComment(body: Payload, given: Circumstances): Notice {
  const [about, comment] = [body.object('issue'), body.object('comment')];
  const isPull = about.has('pull_request');
  const verb =
    lookUp({ edited: 'edited a [comment]', deleted: 'deleted a [comment]' }, body.text('action')) ?? '[commented]';
  const link = isPull ? pullLink(about, given) : issueLink(about, given);
  const said = `${sender(body)} ${verb}(${comment.text('html_url')}) on ${link}`;
  return {
    topic: isPull ? pullTopic(body, about) : issueTopic(body, about),
    content: withQuote(said, comment.textOr('body', '')),
  };
}

/** Which pull request a review is of goes without saying where the topic says it. */
function reviewText(body: Payload, written: Payload, name: string, given: Circumstances): Notice {
  const pull = body.object('pull_request');
  const named = given.isTopicGiven === true ? `${name} for #${pull.text('number')}` : name;
  const link = numberedLink(named, pull.text('title'), written.text('html_url'), given);
  const said = `${sender(body)} ${body.text('action')} ${link}`;
  return { topic: pullTopic(body, pull), content: withQuote(said, written.textOr('body', '')) };
}

function commitComment(body: Payload): Notice {
  const comment = body.object('comment');
  const commit = `[${comment.text('commit_id').slice(0, 7)}](${body.object('repository').text('html_url')}/commit/${comment.text('commit_id')})`;
  const said = `${sender(body)} [commented](${comment.text('html_url')}) on ${commit}`;
  return { topic: repository(body), content: withQuote(said, comment.textOr('body', '')) };
}

export const discussions = {
  pull_request: pullRequest,
  issues: issue,
  issue_comment: issueComment,
  pull_request_review: (body: Payload, given: Circumstances) =>
    reviewText(body, body.object('review'), 'PR Review', given),
  pull_request_review_comment: (body: Payload, given: Circumstances) =>
    reviewText(body, body.object('comment'), 'PR Review Comment', given),
  commit_comment: commitComment,
} as const;
