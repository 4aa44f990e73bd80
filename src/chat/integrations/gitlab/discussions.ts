/** Issues and merge requests on GitLab, and comments on them. */
import { type Circumstances, namesText, numberedLink, withQuote } from '../git-text';
import { type Notice, unknownEvent } from '../integration';
import { lookUp, type Payload } from '../payload';
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

function verbOf(verbs: Readonly<Record<string, string>>, kind: string, action: string): string {
  const verb = lookUp(verbs, action);
  if (verb === undefined) throw unknownEvent('Gitlab', `${kind} ${action}`);
  return verb;
}

function issue(body: Payload, given: Circumstances): Notice {
  const about = body.object('object_attributes');
  // GitLab's test button sends an issue without an action.
  const verb = verbOf(ISSUE_VERBS, 'Issue Hook', about.textOr('action', 'update'));
  const link = numberedLink(`Issue #${about.text('iid')}`, about.text('title'), about.text('url'), given);
  const said = `${userName(body)} ${verb} ${link}`;
  return {
    topic: `${projectName(body)} / Issue #${about.text('iid')} ${about.text('title')}`,
    content: verb === 'created' ? withQuote(said + assignees(body), descriptionOf(about)) : `${said}.`,
  };
}

function mergeRequest(body: Payload, given: Circumstances): Notice {
  const about = body.object('object_attributes');
  const link = numberedLink(`MR #${about.text('iid')}`, about.text('title'), about.text('url'), given);
  const topic = `${projectName(body)} / MR #${about.text('iid')} ${about.text('title')}`;
  const verb = verbOf(MERGE_VERBS, 'Merge Request Hook', about.textOr('action', 'update'));
  const user = userName(body);
  const branches = () => `from \`${about.text('source_branch')}\` to \`${about.text('target_branch')}\``;
  // Only new commits set `oldrev`.
  if (verb === 'updated' && about.has('oldrev')) return { topic, content: `${user} added commit(s) to ${link}.` };
  if (verb === 'merged') return { topic, content: `${user} merged ${link} ${branches()}.` };
  if (verb !== 'created' && verb !== 'updated') return { topic, content: `${user} ${verb} ${link}.` };
  const said = verb === 'created' ? `${user} created ${link} ${branches()}` : `${user} updated ${link}`;
  return { topic, content: withQuote(said + assignees(body), descriptionOf(about)) };
}

interface Noted {
  readonly topic: string;
  readonly link: string;
}

/** What a comment can belong to, by GitLab's `noteable_type`. */
const noted: Readonly<Record<string, (body: Payload, given: Circumstances) => Noted>> = {
  Commit: (body) => {
    const commit = body.object('commit');
    return { topic: '', link: `[${commit.text('id').slice(0, 7)}](${commit.text('url')})` };
  },
  MergeRequest: (body, given) => numbered(body, 'merge_request', 'MR', given),
  Issue: (body, given) => numbered(body, 'issue', 'Issue', given),
  Snippet: (body, given) => numbered(body, 'snippet', 'Snippet', given),
};

function numbered(body: Payload, key: string, word: string, given: Circumstances): Noted {
  const about = body.object(key);
  const number = about.textOr('iid', about.text('id'));
  const url = about.textOr('url', `${projectUrl(body)}/-/${key}s/${number}`);
  const [name, title] = [`${word} #${number}`, about.text('title')];
  return { topic: ` / ${name} ${title}`, link: numberedLink(name, title, url, given) };
}

function note(body: Payload, given: Circumstances): Notice {
  const written = body.object('object_attributes');
  const kind = written.text('noteable_type');
  const look = lookUp(noted, kind);
  if (!look) throw unknownEvent('Gitlab', `Note Hook ${kind}`);
  const { topic, link } = look(body, given);
  const verb = written.textOr('action', 'create') === 'update' ? 'edited a [comment]' : '[commented]';
  const said = `${userName(body)} ${verb}(${written.text('url')}) on ${link}`;
  return { topic: projectName(body) + topic, content: withQuote(said, withoutHiddenComments(written.text('note'))) };
}

export const discussions = {
  'Issue Hook': issue,
  'Merge Request Hook': mergeRequest,
  'Note Hook': note,
} as const;

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
