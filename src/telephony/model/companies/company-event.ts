/** The events that a company's clients get, as in the specification. Each is a numbered row of the company's log. */
import { socketEvent } from '../../../kernel/event-log/socket-events';
import type { Delivery } from '../../../kernel/mysql/outbox';
import type { Wire } from '../../../kernel/text/wire';
import type { companyEvents } from '../answers/events';
import { companyTenant, type CompanyId } from './company';

/** Payload types by event name, derived from the schemas. */
export type CompanyEvents = { readonly [Name in keyof typeof companyEvents]: Wire<(typeof companyEvents)[Name]> };
export type StatusEvent = CompanyEvents['user_status_updated'];

export type CompanyEventName = keyof CompanyEvents;

/** Publishes an event to every client of the company after the commit: `tx.deliver(companyDelivery(…))`. */
export function companyDelivery<Name extends CompanyEventName>(
  companyId: CompanyId,
  name: Name,
  payload: CompanyEvents[Name],
): Delivery {
  return socketEvent(companyTenant(companyId), entryOf(name, payload));
}

/** Name, blank, payload: a node can route an entry without parsing the payload. */
const entryOf = (name: string, payload: object): string => `${name} ${JSON.stringify(payload)}`;

export interface CompanyEvent {
  readonly name: string;
  readonly payload: object;
}

export function readCompanyEvent(body: string): CompanyEvent {
  const blank = body.indexOf(' ');
  return { name: body.slice(0, blank), payload: JSON.parse(body.slice(blank + 1)) as object };
}
