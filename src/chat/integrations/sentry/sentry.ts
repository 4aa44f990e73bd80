/** Sentry: issues, events and alerts, from its integrations and its older webhook plugin. */
import { quote } from '../git-text';
import { unknownEvent, type Integration, type Notice } from '../integration';
import { linkTo } from '../link-to';
import { lookUp } from '../look-up';
import { Payload } from '../payload';
import { tracebackOf } from './traceback';

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
  const verb = lookUp(ISSUE_VERBS, action);
  if (verb === undefined) throw unknownEvent('Sentry', `issue ${action}`);
  return { topic: title, content: `Issue **${title}** ${verb} by **${by}**.` };
}

function assigneeOf(issue: Payload): string {
  const to = issue.objectOr('assignedTo');
  const name = to.textOr('name', '');
  return to.textOr('type', '') === 'team' ? `team ${name}` : name;
}
