/** Something that happened, on its way into the organisation's log and from there to every queue that wants it. */
import type { Delivery } from '../../../kernel/mysql/outbox';
import { logEvent } from '../../../kernel/event-log/log-publisher';
import { audienceHead, type Audience, type AudienceHead } from './audience';
import { realmTenant, type RealmId } from '../organisation/realm';
import type { UserId } from '../users/user';

/** An event as clients see it, but for its id, which is each queue's own. */
export interface ChatEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** The line that goes before the payload in the log: all that matching needs, so that payloads are never parsed. */
export interface EntryHead extends AudienceHead {
  readonly type: string;
  /** Only for messages: see message-event.ts. */
  readonly message?: MessageHead;
}

/** What narrows and flags look at, and what varies between readers of one message. */
export interface MessageHead {
  readonly streamId?: number | undefined;
  readonly streamName?: string | undefined;
  readonly topic?: string | undefined;
  readonly sender: string;
  /** Whether queues of all public streams, and narrowed ones, may see it. */
  readonly isPublic: boolean;
  /** Set where everyone who hears it is mentioned. */
  readonly isWildcard?: boolean | undefined;
  /** Flags of those who have any. */
  readonly flags: Readonly<Record<number, readonly string[]>>;
  /** Its first submessage: see `withWidget` in message-event.ts. */
  readonly widget?: { readonly senderId: UserId; readonly content: string } | undefined;
  readonly local?: { readonly queueId: string; readonly localId: string } | undefined;
}

/** Tells an event to an audience once the transaction has committed. */
export function eventDelivery(realmId: RealmId, to: Audience, event: ChatEvent): Delivery {
  const head: EntryHead = { type: event.type, ...audienceHead(to) };
  return logEvent(realmTenant(realmId), entryBody(head, JSON.stringify(event)));
}

/** JSON never holds a bare newline, so the first one ends the head. */
export const entryBody = (head: EntryHead, payload: string): string => `${JSON.stringify(head)}\n${payload}`;

export function readEntry(body: string): { head: EntryHead; payload: string } {
  const end = body.indexOf('\n');
  return { head: JSON.parse(body.slice(0, end)) as EntryHead, payload: body.slice(end + 1) };
}

const OPENING = '{"type":"';

/** It stands first in every entry, so that most need not be read. */
export const typeOf = (body: string): string => body.slice(OPENING.length, body.indexOf('"', OPENING.length));
