/** PagerDuty: incidents, from all three webhook versions. */
import { namesText, withQuote } from '../git-text';
import type { Integration, Notice } from '../integration';
import { entryOf, Payload, textAt } from '../payload';
import { joined } from '../text';

/** Version 3 uses the past tense, earlier versions the present. */
const VERBS: Readonly<Record<string, string>> = {
  'incident.triggered': 'triggered',
  'incident.trigger': 'triggered',
  'incident.unacknowledged': 'unacknowledged',
  'incident.unacknowledge': 'unacknowledged',
  'incident.reopened': 'reopened',
  'incident.acknowledged': 'acknowledged',
  'incident.acknowledge': 'acknowledged',
  'incident.resolved': 'resolved',
  'incident.resolve': 'resolved',
  'incident.assign': 'assigned',
  'incident.reassigned': 'reassigned',
  'incident.delegate': 'delegated',
  'incident.delegated': 'delegated',
  'incident.escalate': 'escalated',
  'incident.escalated': 'escalated',
};

/** Caused by the monitored service, not by a person. */
const BY_SOURCE = new Set(['triggered', 'unacknowledged', 'reopened']);
const TO_SOMEBODY = new Set(['assigned', 'reassigned', 'delegated', 'escalated']);

const verbOf = (event: string): string => entryOf(VERBS, event, 'Pagerduty');

interface Incident {
  readonly link: string;
  readonly source: string;
  readonly assignees: readonly string[];
  /** Empty if no person did it. */
  readonly by: string;
}

const linkOf = (thing: Payload, name = thing.text('summary')): string =>
  thing.has('html_url') ? `[${name}](${thing.text('html_url')})` : name;

/** Without a full stop, because the cause may follow. */
function sentenceOf(verb: string, { link, source, assignees, by }: Incident): string {
  const to = assignees.length === 0 ? 'nobody' : namesText(assignees);
  if (BY_SOURCE.has(verb)) return `Incident ${link} ${verb} by ${source} (assigned to ${to})`;
  if (TO_SOMEBODY.has(verb)) return `Incident ${link} ${verb} to ${to}`;
  return `Incident ${link} ${verb}${by === '' ? '' : ` by ${by}`}`;
}

/** Versions 1 and 2 of PagerDuty's webhooks: a list of messages, each about one incident. */
const messageNotice = (message: Payload): Notice => (message.has('event') ? ofSecond(message) : ofFirst(message));

function ofSecond(message: Payload): Notice {
  const verb = verbOf(message.text('event'));
  const data = message.object('incident');
  const number = data.text('incident_number');
  const incident = {
    link: linkOf(data, number),
    source: linkOf(data.object('service')),
    assignees: data.listOr('assignments').map((each) => linkOf(each.object('assignee'))),
    by: agentOf(message, data),
  };
  const cause = data.textOr('title', data.textOr('description', ''));
  return { topic: `Incident ${number}`, content: withQuote(sentenceOf(verb, incident), cause) };
}

function agentOf(message: Payload, incident: Payload): string {
  const [entry] = message.listOr('log_entries');
  const agent = entry?.has('agent') ? entry.object('agent') : incident.objectOr('last_status_change_by');
  return agent.textOr('type', '').startsWith('user') ? linkOf(agent) : '';
}

function ofFirst(message: Payload): Notice {
  const verb = verbOf(message.text('type'));
  const data = message.object('data').object('incident');
  const number = data.text('incident_number');
  const service = data.object('service');
  const assignee = userLink(data.objectOr('assigned_to_user'));
  const incident = {
    link: linkOf(data, number),
    source: linkOf(service, service.text('name')),
    assignees: assignee === '' ? [] : [assignee],
    // An incident that resolved itself still has an assignee, who had no part in it.
    by: verb === 'resolved' ? userLink(data.objectOr('resolved_by_user')) : assignee,
  };
  const trigger = data.objectOr('trigger_summary_data');
  const cause = joined([trigger.textOr('subject', ''), trigger.textOr('description', '')], '\n');
  return { topic: `Incident ${number}`, content: withQuote(sentenceOf(verb, incident), cause) };
}

/** Empty for nobody. Falls back to the email address if the name is missing. */
function userLink(user: Payload): string {
  const name = user.textOr('name', user.textOr('email', '').split('@', 1)[0]!);
  return name === '' ? '' : linkOf(user, name);
}

export const pagerduty: Integration = {
  name: 'pagerduty',
  client: 'ZulipPagerDutyWebhook',
  deliveryId: (payload) => textAt(payload, 'event', 'id') || textAt(payload, 'messages', '0', 'id'),
  format({ payload }) {
    const body = new Payload(payload);
    return body.has('messages') ? body.list('messages').map(messageNotice) : ofThird(body.object('event'));
  },
};

function ofThird(event: Payload): Notice | null {
  const kind = event.text('event_type');
  // Sent by PagerDuty's test button.
  if (kind === 'pagey.ping') return null;
  const verb = verbOf(kind);
  const data = event.object('data');
  const name = `${data.text('title')} (#${data.text('number')})`;
  const incident = {
    link: linkOf(data, name),
    source: linkOf(data.object('service')),
    assignees: data.listOr('assignees').map((each) => linkOf(each)),
    by: event.has('agent') ? linkOf(event.object('agent')) : '',
  };
  return { topic: `Incident ${name}`, content: `${sentenceOf(verb, incident)}.` };
}
