/** An event: how it is written to the organisation's log, from which it goes to every matching queue. */
import type { Delivery } from '../../../kernel/mysql/outbox';
import { logEvent } from '../../../kernel/event-log/log-publisher';
import type { TopicLink } from '../markdown/context';
import { audienceHead, type Audience, type AudienceHead } from './audience';
import { realmTenant, type RealmId } from '../organisation/realm';
import type { UserId } from '../users/user';

/** An event as clients see it, without its id, which each queue assigns. */
export interface ChatEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

export type ChatFields = Readonly<Record<string, unknown>>;

/** The line before the payload in the log. It holds all that matching needs, so that payloads are never parsed. */
export interface EntryHead extends AudienceHead {
  readonly type: string;
  /** Set if only queues that know archived streams get it (true), or only the others (false). */
  readonly isForArchive?: boolean | undefined;
  /** Only queues that know of typing in streams get it. */
  readonly isForStreamTyping?: true;
  /** Clients of 2.1 do not know of such an event, and have no use for it. */
  readonly isForToday?: true;
  /** What today's clients get beside the payload (see profiles.ts). */
  readonly today?: ChatFields | undefined;
  /** What clients get instead that hear of each custom emoji by itself. */
  readonly eachEmoji?: ChatEvent | undefined;
  /** Only for messages: see message-event.ts. */
  readonly message?: MessageHead;
}

/** The fields that narrows and flags use, and those that differ between readers of a message. */
export interface MessageHead {
  readonly streamId?: number | undefined;
  readonly streamName?: string | undefined;
  readonly topic?: string | undefined;
  readonly sender: string;
  /** Whether queues for all public streams, and narrowed queues, may receive it. */
  readonly isPublic: boolean;
  /** Set if the whole audience is mentioned. */
  readonly isWildcard?: boolean | undefined;
  /** Flags of the users who have any. */
  readonly flags: Readonly<Record<number, readonly string[]>>;
  /** Its first submessage: see `withWidget` in message-event.ts. */
  readonly widget?: { readonly senderId: UserId; readonly content: string } | undefined;
  /** Those of the topic, if there are any; what clients of 2.1 get of them is in the payload. */
  readonly topicLinks?: readonly TopicLink[] | undefined;
  readonly local?: { readonly queueId: string; readonly localId: string } | undefined;
}

/** Publishes an event to an audience after the transaction commits. */
export const eventDelivery = (realmId: RealmId, to: Audience, event: ChatEvent, today?: ChatFields): Delivery =>
  logEvent(realmTenant(realmId), entryOf(to, event, today && { today }));

/** Only to today's clients. */
export const todayDelivery = (realmId: RealmId, to: Audience, event: ChatEvent): Delivery =>
  entryDelivery(realmId, to, event, { isForToday: true });

export const entryDelivery = (realmId: RealmId, to: Audience, event: ChatEvent, extras: Extras = {}): Delivery =>
  logEvent(realmTenant(realmId), entryOf(to, event, extras));

export type ForToday = Pick<EntryHead, 'eachEmoji' | 'today'>;
type Extras = ForToday & Pick<EntryHead, 'isForArchive' | 'isForStreamTyping' | 'isForToday'>;

/** The text of an event and its audience. */
export const entryOf = (to: Audience, event: ChatEvent, extras: Extras = {}): string => entryFor(extras, to, event);

/** For the part of the audience whose clients know archived streams, or do not. */
export const archiveDelivery = (
  realmId: RealmId,
  extras: { readonly isForArchive: boolean; readonly today?: ChatFields | undefined },
  to: Audience,
  event: ChatEvent,
): Delivery => logEvent(realmTenant(realmId), entryFor(extras, to, event));

const entryFor = (extras: Extras, to: Audience, event: ChatEvent): string =>
  entryBody({ type: event.type, ...audienceHead(to), ...extras }, JSON.stringify(event));

/** JSON never contains a bare newline, so the first one ends the head. */
export const entryBody = (head: EntryHead, payload: string): string => `${JSON.stringify(head)}\n${payload}`;

export function readEntry(body: string): { head: EntryHead; payload: string } {
  const end = body.indexOf('\n');
  return { head: JSON.parse(body.slice(0, end)) as EntryHead, payload: body.slice(end + 1) };
}

const OPENING = '{"type":"';

/** The type comes first in every entry, so that most entries need not be parsed. */
export const typeOf = (body: string): string => body.slice(OPENING.length, body.indexOf('"', OPENING.length));
