/** PagerDuty incident events, for all webhook versions. */
import { namesText } from '../git-text';
import { unknownEvent } from '../integration';
import { lookUp } from '../look-up';
import type { Payload } from '../payload';

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

export function verbOf(event: string): string {
  const verb = lookUp(VERBS, event);
  if (verb === undefined) throw unknownEvent('Pagerduty', event);
  return verb;
}

export interface Incident {
  readonly link: string;
  readonly source: string;
  readonly assignees: readonly string[];
  /** Empty if no person did it. */
  readonly by: string;
}

export const linkOf = (thing: Payload, name = thing.text('summary')): string =>
  thing.has('html_url') ? `[${name}](${thing.text('html_url')})` : name;

/** Without a full stop, because the cause may follow. */
export function sentenceOf(verb: string, { link, source, assignees, by }: Incident): string {
  const to = assignees.length === 0 ? 'nobody' : namesText(assignees);
  if (BY_SOURCE.has(verb)) return `Incident ${link} ${verb} by ${source} (assigned to ${to})`;
  if (TO_SOMEBODY.has(verb)) return `Incident ${link} ${verb} to ${to}`;
  return `Incident ${link} ${verb}${by === '' ? '' : ` by ${by}`}`;
}
