/** Sentry: issues, events and alerts, from its integrations and its older webhook plugin. */
import { quote } from '../git-text';
import { type Integration, type Notice, unknownEvent } from '../integration';
import { linkTo } from '../text';
import { entryOf, lookUp, Payload } from '../payload';

export const sentry: Integration = {
  name: 'sentry',
  client: 'ZulipSentryWebhook',
  deliveryHeader: 'Request-ID',
  format({ payload }) {
    const body = new Payload(payload);
    if (!body.has('data')) return ofPlugin(body);
    const data = body.object('data');
    if (data.has('event')) return ofEvent(data.object('event'));
    if (data.has('error')) return ofEvent(data.object('error'));
    if (data.has('metric_alert')) return ofMetric(data);
    if (data.has('issue')) return ofIssue(body, data.object('issue'));
    // An installed or removed integration, or a comment, is not an error.
    if (data.has('installation') || data.has('comment')) return null;
    throw unknownEvent('Sentry', body.textOr('action', 'unknown'));
  },
};

function ofPlugin(body: Payload): Notice {
  const level = body.text('level').toUpperCase();
  const said = `New [issue](${body.text('url')}) (level: ${level}):`;
  return { topic: body.text('project_name'), content: said + quote(body.text('message')) };
}

/** To the second, in UTC: milliseconds are not useful. */
const momentOf = (time: string): string => {
  const [, day, second] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)/.exec(time) ?? [];
  return day === undefined ? time : `${day} ${second}`;
};

const listed = (lines: Readonly<Record<string, string>>): string =>
  Object.entries(lines)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `**${name}:** ${value}`)
    .join('\n');

const block = (text: string): string => quote(text).slice(1);

function ofEvent(event: Payload): Notice {
  const isException = event.has('exception');
  const title = event.text('title');
  const url = event.textOr('web_url', event.textOr('url', ''));
  const location = isException ? event.objectOr('metadata').textOr('filename', event.textOr('location', '')) : '';
  const facts = listed({
    level: event.text('level'),
    timestamp: momentOf(event.text('datetime')),
    filename: location,
  });
  const link = `**New ${isException ? 'exception' : 'message event'}:** ${linkTo(title, url)}`;
  return { topic: title, content: link + block(facts) + (isException ? tracebackOf(event) : '') };
}

function ofMetric(data: Payload): Notice {
  const title = data.text('description_title');
  return {
    topic: title,
    content: `**${linkTo(title, data.textOr('web_url', ''))}**${block(data.text('description_text'))}`,
  };
}

const ISSUE_VERBS: Readonly<Record<string, string>> = {
  resolved: 'was marked as resolved',
  ignored: 'was ignored',
  archived: 'was archived',
  unresolved: 'was marked as unresolved',
};

function ofIssue(body: Payload, issue: Payload): Notice {
  const [action, title] = [body.text('action'), issue.text('title')];
  const by = body.objectOr('actor').textOr('name', 'Sentry');
  if (action === 'created') {
    const facts = listed({
      level: issue.text('level'),
      timestamp: momentOf(issue.text('firstSeen')),
      assignee: assigneeOf(issue) || 'No one',
    });
    return { topic: title, content: `**New issue created:** ${title}${block(facts)}` };
  }
  if (action === 'assigned') {
    const to = assigneeOf(issue) || 'No one';
    return { topic: title, content: `Issue **${title}** has now been assigned to **${to}** by **${by}**.` };
  }
  const verb = entryOf(ISSUE_VERBS, action, 'Sentry', `issue ${action}`);
  return { topic: title, content: `Issue **${title}** ${verb} by **${by}**.` };
}

function assigneeOf(issue: Payload): string {
  const to = issue.objectOr('assignedTo');
  const name = to.textOr('name', '');
  return to.textOr('type', '') === 'team' ? `team ${name}` : name;
}

/** Maps Sentry's platform names to the languages of code blocks. */
const LANGUAGES: Readonly<Record<string, string>> = { python: 'python3', node: 'javascript' };

const ARROW = '--->';

/** The source location where a Sentry exception was raised, with the lines around it. */
function tracebackOf(event: Payload): string {
  // The last frame is the innermost, and the last exception is the one that was raised.
  const frames = event.object('exception').listOr('values').at(-1)?.objectOr('stacktrace').listOr('frames') ?? [];
  const frame = frames.findLast((each) => each.has('context_line'));
  if (!frame) return '';
  const before = frame.textsOr('pre_context').map((line) => indented('', line));
  const after = frame.textsOr('post_context').map((line) => indented('', line));
  const lines = [...before, indented(ARROW, frame.text('context_line')), ...after].join('\n');
  const platform = event.textOr('platform', '');
  const language = lookUp(LANGUAGES, platform) ?? platform;
  return `\n\nTraceback:\n~~~~ ${/^[a-z0-9_+-]{0,20}$/i.test(language ?? '') ? language : ''}\n${lines}\n~~~~`;
}

const indented = (mark: string, line: string): string => `${mark.padEnd(ARROW.length)} ${line}`.trimEnd();
