/** Issues and pull requests on GitHub, and comments on them. */
import type { Notice } from '../integration';
import { lookUp, type Payload } from '../payload';
import { namesText, numbered, withQuote, type Circumstances, type EventFormats } from '../git-text';
import { linkTo } from '../text';
import { about, commitLink, repository, repositoryUrl, sender } from './repositories';

/** Minor actions that are not reported. */
const QUIET_ACTIONS = new Set([
  'labeled',
  'unlabeled',
  'review_request_removed',
  'milestoned',
  'demilestoned',
  'pinned',
  'unpinned',
]);

const numberedAs = (word: string, body: Payload, thing: Payload, given: Circumstances) => {
  const name = `${word} #${thing.text('number')}`;
  return numbered(
    { repository: repository(body), name, title: thing.text('title'), url: thing.text('html_url') },
    given,
  );
};

const assigned = (to: Payload): string =>
  to.has('assignee') ? ` (assigned to ${to.object('assignee').text('login')})` : '';

/** The requested reviewer, the requested team, or all reviewers so far. */
function reviewers(body: Payload): string {
  if (body.has('requested_reviewer')) return body.object('requested_reviewer').text('login');
  if (body.has('requested_team')) return `team ${body.object('requested_team').text('name')}`;
  const names = body
    .object('pull_request')
    .listOr('requested_reviewers')
    .map((each) => each.text('login'));
  return names.length === 0 ? 'somebody' : namesText(names);
}

/** Actions that change the pull request itself. The others concern its status. */
const PULL_VERBS: Readonly<Record<string, string>> = {
  opened: 'opened',
  edited: 'edited',
  reopened: 'reopened',
  synchronize: 'updated',
};

function pullRequest(body: Payload, given: Circumstances): Notice | null {
  const action = body.text('action');
  if (QUIET_ACTIONS.has(action)) return null;
  const { topic, link } = numberedAs('PR', body, body.object('pull_request'), given);
  const verb = lookUp(PULL_VERBS, action);
  return { topic, content: verb === undefined ? pullFate(body, action, link) : pullChange(body, verb, link) };
}

function pullChange(body: Payload, verb: string, link: string): string {
  const pull = body.object('pull_request');
  const branches = `from \`${pull.object('head').text('ref')}\` to \`${pull.object('base').text('ref')}\``;
  // New commits do not change the description.
  const text = verb === 'updated' ? '' : pull.textOr('body', '');
  return withQuote(`${sender(body)} ${verb} ${link}${assigned(pull)} ${branches}`, text);
}

function pullFate(body: Payload, action: string, link: string): string {
  const user = sender(body);
  switch (action) {
    case 'closed':
      return `${user} ${body.object('pull_request').isTrue('merged') ? 'merged' : 'closed without merge'} ${link}.`;
    case 'assigned':
      return `${user} assigned ${body.object('assignee').text('login')} to ${link}.`;
    case 'unassigned':
      return `${user} unassigned ${body.object('assignee').text('login')} from ${link}.`;
    case 'review_requested':
      return `${user} requested ${reviewers(body)} for a review on ${link}.`;
    default:
      return `${user} ${action.replaceAll('_', ' ')} ${link}.`;
  }
}

function issue(body: Payload, given: Circumstances): Notice | null {
  const action = body.text('action');
  if (QUIET_ACTIONS.has(action)) return null;
  const its = body.object('issue');
  const { topic, link } = numberedAs('Issue', body, its, given);
  const said = `${sender(body)} ${action.replaceAll('_', ' ')} ${link}${assigned(its)}`;
  const isWritten = action === 'opened' || action === 'edited';
  return { topic, content: withQuote(said, isWritten ? its.textOr('body', '') : '') };
}

function issueComment(body: Payload, given: Circumstances): Notice {
  const [its, comment] = [body.object('issue'), body.object('comment')];
  const { topic, link } = numberedAs(its.has('pull_request') ? 'PR' : 'Issue', body, its, given);
  const verb =
    lookUp({ edited: 'edited a [comment]', deleted: 'deleted a [comment]' }, body.text('action')) ?? '[commented]';
  const said = `${sender(body)} ${verb}(${comment.text('html_url')}) on ${link}`;
  return { topic, content: withQuote(said, comment.textOr('body', '')) };
}

/** The pull request is named only if the topic does not name it. */
function reviewText(body: Payload, written: Payload, name: string, given: Circumstances): Notice {
  const pull = body.object('pull_request');
  const titled = `#${pull.text('number')} ${pull.text('title')}`;
  const link = linkTo(given.isTopicGiven === true ? `${name} for ${titled}` : name, written.text('html_url'));
  const said = `${sender(body)} ${body.text('action')} ${link}`;
  return { topic: `${repository(body)} / PR ${titled}`, content: withQuote(said, written.textOr('body', '')) };
}

function commitComment(body: Payload): Notice {
  const comment = body.object('comment');
  const sha = comment.text('commit_id');
  const commit = commitLink(sha, `${repositoryUrl(body)}/commit/${sha}`);
  const said = `${sender(body)} [commented](${comment.text('html_url')}) on ${commit}`;
  return about(body, withQuote(said, comment.textOr('body', '')));
}

export const discussions: EventFormats = {
  pull_request: pullRequest,
  issues: issue,
  issue_comment: issueComment,
  pull_request_review: (body, given) => reviewText(body, body.object('review'), 'PR Review', given),
  pull_request_review_comment: (body, given) => reviewText(body, body.object('comment'), 'PR Review Comment', given),
  commit_comment: commitComment,
};
