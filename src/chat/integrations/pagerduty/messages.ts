/** Versions 1 and 2 of PagerDuty's webhooks: a list of messages, each about one incident. */
import { withQuote } from '../git-text';
import type { Notice } from '../integration';
import type { Payload } from '../payload';
import { linkOf, sentenceOf, verbOf } from './incidents';

export const messageNotice = (message: Payload): Notice =>
  message.has('event') ? ofSecond(message) : ofFirst(message);

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
  const cause = ['subject', 'description'].map((key) => trigger.textOr(key, '')).filter((text) => text !== '');
  return { topic: `Incident ${number}`, content: withQuote(sentenceOf(verb, incident), cause.join('\n')) };
}

/** Empty for nobody. Falls back to the email address if the name is missing. */
function userLink(user: Payload): string {
  const name = user.textOr('name', user.textOr('email', '').split('@', 1)[0]!);
  return name === '' ? '' : linkOf(user, name);
}
