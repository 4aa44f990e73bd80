/** What a company's clients are told: the specification's events by name, each a numbered row of the company's log. */
import { logEvent } from '../../kernel/event-log/log-carrier';
import type { Delivery } from '../../kernel/mysql/outbox';
import { companyTenant, type CompanyId } from './company';

/** A texting message as REST answers it; its further fields are in texting-wire.ts. */
export interface ToldMessage {
  readonly id: string;
  readonly conversation_id: string;
}

/** A conversation as REST answers it; its further fields are in texting-wire.ts. */
export interface ToldConversation {
  readonly id: string;
  readonly company_id: string;
}

export interface ToldStatus {
  readonly id: string;
  readonly company_id: string;
  readonly user_id: string;
  readonly user_email: string;
  readonly status: { readonly status: string; readonly action_type: string };
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
}

export interface CompanyEvents {
  readonly 'texting.message.new': ToldMessage;
  readonly 'texting.message.delete': { readonly id: string; readonly conversation_id: string };
  readonly 'texting.message.markAsRead': {
    readonly conversation_id: string;
    readonly messagesIds: readonly string[];
    readonly timezone: string;
  };
  readonly 'texting.chat.new': ToldConversation;
  readonly 'texting.chat.delete': { readonly id: string };
  readonly user_status_updated: ToldStatus;
}

export type CompanyEventName = keyof CompanyEvents;

/** Tells every client of the company, once the transaction has committed: `tx.deliver(tellCompany(…))`. */
export function tellCompany<Name extends CompanyEventName>(
  companyId: CompanyId,
  name: Name,
  payload: CompanyEvents[Name],
): Delivery {
  return { ...logEvent(companyTenant(companyId), entryOf(name, payload)), isReplayable: true };
}

/** The name, a blank, the payload: a node can tell where an entry goes without reading all of it. */
const entryOf = (name: string, payload: object): string => `${name} ${JSON.stringify(payload)}`;

export interface CompanyEvent {
  readonly name: string;
  readonly payload: object;
}

export function readCompanyEvent(body: string): CompanyEvent {
  const blank = body.indexOf(' ');
  return { name: body.slice(0, blank), payload: JSON.parse(body.slice(blank + 1)) as object };
}
