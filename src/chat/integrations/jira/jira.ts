/** Jira: created, changed and deleted issues, and comments on them. */
import { quote } from '../git-text';
import type { Integration } from '../integration';
import { entryOf, lookUp, Payload } from '../payload';
import { linkTo } from '../text';

/** Each accompanies another event with more detail. */
const IGNORED = new Set([
  'issuelink_created',
  'issuelink_deleted',
  'attachment_created',
  'attachment_deleted',
  'sprint_started',
]);

export const jira: Integration = {
  name: 'jira',
  client: 'ZulipJIRAWebhook',
  deliveryHeader: 'X-Atlassian-Webhook-Identifier',
  decodesAddress: true,
  format({ payload }) {
    const body = new Payload(payload);
    // A workflow's post has a transition and no event name.
    const event = body.has('transition')
      ? body.textOr('webhookEvent', 'jira:issue_updated')
      : body.text('webhookEvent');
    if (IGNORED.has(event)) return null;
    const format = entryOf(formats, event, 'JIRA');
    return { topic: titleOf(body.object('issue')), content: format(body) };
  },
};

const summaryOf = (issue: Payload): string =>
  issue.objectOr('fields').textOr('summary', 'Upgrade Jira to get the issue title here.');

const titleOf = (issue: Payload): string => `${issue.text('key')}: ${summaryOf(issue)}`;

function linkOf(body: Payload): string {
  const issue = body.object('issue');
  const at = issue.textOr('self', '').indexOf('/rest/api/');
  const url = at < 0 ? '' : `${issue.text('self').slice(0, at)}/browse/${issue.text('key')}`;
  return linkTo(titleOf(issue), url);
}

const userOf = (body: Payload): string => {
  const user = body.object('user');
  return user.textOr('displayName', user.textOr('name', 'Unknown user'));
};

function created(body: Payload): string {
  const fields = body.object('issue').object('fields');
  const priority = fields.objectOr('priority').textOr('name', 'none');
  const assignee = fields.objectOr('assignee').textOr('displayName', 'no one');
  return `${userOf(body)} created ${linkOf(body)}:\n\n* **Priority**: ${priority}\n* **Assignee**: ${assignee}`;
}

const COMMENT_VERBS: Readonly<Record<string, string>> = {
  issue_commented: 'commented on',
  issue_comment_edited: 'edited a comment on',
  issue_comment_deleted: 'deleted a comment from',
};

/** Jira 4 sends an empty text instead of no comment. */
const hasComment = (body: Payload): boolean => body.has('comment') && !body.isText('comment');

function updated(body: Payload): string {
  const kind = body.textOr('issue_event_type_name', hasComment(body) ? 'issue_commented' : '');
  const assignee = body.object('issue').objectOr('fields').objectOr('assignee').textOr('displayName', '');
  const about = `${linkOf(body)}${assignee === '' ? '' : ` (assigned to **${assignee}**)`}`;
  const verb = lookUp(COMMENT_VERBS, kind);
  if (verb !== undefined) {
    const text = hasComment(body) ? body.object('comment').textOr('body', '') : '';
    return `${userOf(body)} ${verb} ${about}${text === '' ? '.' : `:${quote(markdownOf(text))}`}`;
  }
  const changes = changesOf(body);
  return `${userOf(body)} updated ${about}${changes.length === 0 ? '.' : `:\n\n${changes.join('\n')}`}`;
}

function changesOf(body: Payload): string[] {
  if (body.has('transition')) {
    const transition = body.object('transition');
    return [changeText('status', transition.textOr('from_status', ''), transition.textOr('to_status', ''))];
  }
  return body
    .objectOr('changelog')
    .listOr('items')
    .map((item) => changeText(item.text('field'), item.textOr('fromString', ''), item.textOr('toString', '')));
}

const changeText = (field: string, from: string, to: string): string =>
  `* Changed ${field}${from === '' ? '' : ` from **${from}**`}${to === '' ? '' : ` to **${to}**`}`;

/** Newer servers send separate comment events, with less of the issue. */
const comment = (verb: string, mark: string) => (body: Payload) => {
  const written = body.object('comment');
  const author = written.objectOr('author').textOr('displayName', 'Unknown user');
  const text = markdownOf(written.text('body')).trim();
  return `${author} ${verb} issue: *"${summaryOf(body.object('issue'))}"*${quote(`${mark}${text}${mark}`)}`;
};

const formats: Readonly<Record<string, (body: Payload) => string>> = {
  'jira:issue_created': created,
  'jira:issue_updated': updated,
  'jira:issue_deleted': (body) => `${userOf(body)} deleted ${linkOf(body)}.`,
  comment_created: comment('commented on', ''),
  comment_updated: comment('updated their comment on', ''),
  comment_deleted: comment('deleted their comment on', '~~'),
};

/** Converts Jira's markup to Markdown. No pattern scans past its own opening mark, so long texts stay cheap. */
function markdownOf(text: string): string {
  return text
    .replaceAll('\\!', '!')
    .replace(/(^|[\s(])\*([^*\n]+)\*(?=$|[\s).,!?:;])/g, '$1**$2**')
    .replace(/\{\{([^{}\n]+)\}\}/g, '`$1`')
    .replace(/^bq\. (.*)$/gm, '> $1')
    .replace(/\{quote\}/g, alternate('\n~~~ quote\n', '\n~~~\n'))
    .replace(/\{noformat\}/g, alternate('\n~~~\n', '\n~~~\n'))
    .replace(/\{code(?::[^{}\n]*)?\}/g, alternate('\n~~~\n', '\n~~~\n'))
    .replace(/\[~([^[\]|\n]+)\]/g, '**$1**')
    .replace(/\[([^[\]|\n]+)\|(https?:[^[\]|\s]+)(?:\|[^[\]\n]*)?\]/g, '[$1]($2)')
    .replace(/\[(https?:[^[\]|\s]+)\]/g, '[$1]($1)');
}

/** Blocks open and close with the same word. */
function alternate(opening: string, closing: string): () => string {
  let isOpen = false;
  return () => {
    isOpen = !isOpen;
    return isOpen ? opening : closing;
  };
}
