/** Issues and merge requests on GitLab, and comments on them. */
import { type Circumstances, type EventFormats, namesText, numbered, withQuote } from '../git-text';
import type { Notice } from '../integration';
import { entryOf, type Payload } from '../payload';
import { projectName, projectUrl, userName } from './repositories';

const ISSUE_VERBS: Readonly<Record<string, string>> = {
  open: 'created',
  update: 'updated',
  close: 'closed',
  reopen: 'reopened',
};
const MERGE_VERBS: Readonly<Record<string, string>> = {
  ...ISSUE_VERBS,
  merge: 'merged',
  approved: 'approved',
  unapproved: 'unapproved',
  approval: 'approved',
  unapproval: 'unapproved',
};

/** Older GitLab versions have a single assignee. */
function assignees(body: Payload): string {
  const all = body.has('assignees') ? body.list('assignees') : body.has('assignee') ? [body.object('assignee')] : [];
  return all.length === 0 ? '' : ` (assigned to ${namesText(all.map((each) => each.text('name')))})`;
}

const descriptionOf = (about: Payload): string => withoutHiddenComments(about.textOr('description', ''));

function attributed(word: string, body: Payload, given: Circumstances) {
  const about = body.object('object_attributes');
  const name = `${word} #${about.text('iid')}`;
  return numbered({ repository: projectName(body), name, title: about.text('title'), url: about.text('url') }, given);
}

/** GitLab's test button sends an issue without an action. */
const actionOf = (about: Payload): string => about.textOr('action', 'update');

function issue(body: Payload, given: Circumstances): Notice {
  const about = body.object('object_attributes');
  const verb = entryOf(ISSUE_VERBS, actionOf(about), 'Gitlab', `Issue Hook ${actionOf(about)}`);
  const { topic, link } = attributed('Issue', body, given);
  const said = `${userName(body)} ${verb} ${link}`;
  return { topic, content: verb === 'created' ? withQuote(said + assignees(body), descriptionOf(about)) : `${said}.` };
}

function mergeRequest(body: Payload, given: Circumstances): Notice {
  const about = body.object('object_attributes');
  const { topic, link } = attributed('MR', body, given);
  const verb = entryOf(MERGE_VERBS, actionOf(about), 'Gitlab', `Merge Request Hook ${actionOf(about)}`);
  const user = userName(body);
  const branches = () => `from \`${about.text('source_branch')}\` to \`${about.text('target_branch')}\``;
  // Only new commits set `oldrev`.
  if (verb === 'updated' && about.has('oldrev')) return { topic, content: `${user} added commit(s) to ${link}.` };
  if (verb === 'merged') return { topic, content: `${user} merged ${link} ${branches()}.` };
  if (verb !== 'created' && verb !== 'updated') return { topic, content: `${user} ${verb} ${link}.` };
  const said = verb === 'created' ? `${user} created ${link} ${branches()}` : `${user} updated ${link}`;
  return { topic, content: withQuote(said + assignees(body), descriptionOf(about)) };
}

type Noted = (body: Payload, given: Circumstances) => { readonly topic: string; readonly link: string };

/** What a comment can belong to, by GitLab's `noteable_type`. */
const noted: Readonly<Record<string, Noted>> = {
  Commit(body) {
    const commit = body.object('commit');
    return { topic: projectName(body), link: `[${commit.text('id').slice(0, 7)}](${commit.text('url')})` };
  },
  MergeRequest: notedAs('merge_request', 'MR'),
  Issue: notedAs('issue', 'Issue'),
  Snippet: notedAs('snippet', 'Snippet'),
};

function notedAs(key: string, word: string): Noted {
  return (body, given) => {
    const about = body.object(key);
    const number = about.textOr('iid', about.text('id'));
    const url = about.textOr('url', `${projectUrl(body)}/-/${key}s/${number}`);
    const name = `${word} #${number}`;
    return numbered({ repository: projectName(body), name, title: about.text('title'), url }, given);
  };
}

function note(body: Payload, given: Circumstances): Notice {
  const written = body.object('object_attributes');
  const kind = written.text('noteable_type');
  const { topic, link } = entryOf(noted, kind, 'Gitlab', `Note Hook ${kind}`)(body, given);
  const verb = written.textOr('action', 'create') === 'update' ? 'edited a [comment]' : '[commented]';
  const said = `${userName(body)} ${verb}(${written.text('url')}) on ${link}`;
  return { topic, content: withQuote(said, withoutHiddenComments(written.text('note'))) };
}

export const discussions: EventFormats = {
  'Issue Hook': issue,
  'Merge Request Hook': mergeRequest,
  'Note Hook': note,
};

const OPENING = '<!--';
const CLOSING = '-->';

/**
 * Strips HTML comments, which GitLab's pages do not show and its templates are full of. One linear pass: an unclosed
 * comment stays as text.
 */
export function withoutHiddenComments(text: string): string {
  let shown = '';
  let at = 0;
  for (;;) {
    const begin = text.indexOf(OPENING, at);
    const end = begin < 0 ? -1 : text.indexOf(CLOSING, begin + OPENING.length);
    if (end < 0) return shown + text.slice(at);
    shown += text.slice(at, begin);
    at = end + CLOSING.length;
  }
}
