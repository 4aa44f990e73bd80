/** PagerDuty: incidents, from its webhooks of the third version and of the second. */
import { namesText, quote } from '../git-text';
import { unknownEvent, type Integration, type Notice } from '../integration';
import { lookUp } from '../look-up';
import { Payload, textAt } from '../payload';

export const pagerduty: Integration = {
  name: 'pagerduty',
  client: 'ZulipPagerDutyWebhook',
  deliveryId: (payload) => textAt(payload, 'event', 'id') || textAt(payload, 'messages', '0', 'id'),
  format({ payload }) {
    const body = new Payload(payload);
    return body.has('messages') ? ofSecond(body.list('messages')) : ofThird(body.object('event'));
  },
};

/** What each event says; V2's words are shorter. */
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

/** Said by the monitored side, not by a person. */
const BY_SOURCE = new Set(['triggered', 'unacknowledged', 'reopened']);
const TO_SOMEBODY = new Set(['assigned', 'reassigned', 'delegated', 'escalated']);

function verbOf(event: string): string {
  const verb = lookUp(VERBS, event);
  if (verb === undefined) throw unknownEvent('Pagerduty', event);
  return verb;
}

interface Incident {
  readonly name: string;
  readonly link: string;
  readonly source: string;
  readonly assignees: readonly string[];
  readonly by: string;
}

const linkOf = (thing: Payload, name = thing.text('summary')): string =>
  thing.has('html_url') ? `[${name}](${thing.text('html_url')})` : name;

function sentence(verb: string, { link, source, assignees, by }: Incident): string {
  const to = assignees.length === 0 ? 'nobody' : namesText(assignees);
  if (BY_SOURCE.has(verb)) return `Incident ${link} ${verb} by ${source} (assigned to ${to}).`;
  if (TO_SOMEBODY.has(verb)) return `Incident ${link} ${verb} to ${to}.`;
  return `Incident ${link} ${verb}${by === '' ? '' : ` by ${by}`}.`;
}

function ofThird(event: Payload): Notice | null {
  const kind = event.text('event_type');
  // The button that tries the address out.
  if (kind === 'pagey.ping') return null;
  const verb = verbOf(kind);
  const data = event.object('data');
  const name = `${data.text('title')} (#${data.text('number')})`;
  const incident = {
    name,
    link: linkOf(data, name),
    source: linkOf(data.object('service')),
    assignees: data.listOr('assignees').map((each) => linkOf(each)),
    by: event.has('agent') ? linkOf(event.object('agent')) : '',
  };
  return { topic: `Incident ${name}`, content: sentence(verb, incident) };
}

/** One delivery may tell of several incidents. */
function ofSecond(messages: readonly Payload[]): Notice | null {
  const told = messages.map((message) => {
    const verb = verbOf(message.text('event'));
    const data = message.object('incident');
    const name = data.text('incident_number');
    const incident = {
      name,
      link: linkOf(data, name),
      source: linkOf(data.object('service')),
      assignees: data.listOr('assignments').map((each) => linkOf(each.object('assignee'))),
      by: agentOf(message, data),
    };
    return { name, content: sentence(verb, incident) + quote(data.textOr('title', data.textOr('description', ''))) };
  });
  const names = new Set(told.map(({ name }) => name));
  if (names.size === 0) return null;
  return { topic: `Incident ${[...names].join(', ')}`, content: told.map(({ content }) => content).join('\n\n') };
}

function agentOf(message: Payload, incident: Payload): string {
  const [entry] = message.listOr('log_entries');
  const agent = entry?.has('agent') ? entry.object('agent') : incident.objectOr('last_status_change_by');
  return agent.textOr('type', '').startsWith('user') ? linkOf(agent) : '';
}
