/** Read marks as mail: from the mark, which is answered at once, to the events that list every message. */
import type { Delivery } from '../../../kernel/mysql/outbox';
import { eventDelivery, type ChatEvent } from '../events/event';
import type { RealmId } from '../organisation/realm';
import type { User, UserId } from '../users/user';
import type { MessageRef } from './read-state';

export const READ_MARKS = 'chat-read-marks';

/** The old and new cursor of a conversation or topic. Its messages are looked up after the response. */
export interface MarkedRange {
  readonly recipientId: number;
  readonly topicId: number | null;
  readonly from: number;
  readonly to: number;
  /** Exceptions below the old cursor that this mark made read. */
  readonly ids: readonly number[];
}

export interface ReadMark {
  readonly realmId: RealmId;
  readonly userId: UserId;
  /** To be published in events. */
  readonly range?: MarkedRange;
  /** Where exceptions may have become redundant; if absent, everywhere. */
  readonly touched?: readonly { readonly recipientId: number; readonly topicId: number | null }[];
}

/** Keeps each event smaller than a poll's response. */
export const MAX_IDS_AT_ONCE = 1000;

type Reader = Pick<User, 'id' | 'realmId'>;
type Operation = 'add' | 'remove';

const flagEvent = (operation: Operation, flag: string, messages: readonly number[], all = false): ChatEvent => ({
  type: 'update_message_flags',
  operation,
  flag,
  messages,
  all,
});

export const allRead = (by: Reader): Delivery => eventDelivery(by.realmId, [by.id], flagEvent('add', 'read', [], true));

/** Unread messages of a left stream become read. */
export const readByLeaving = (realmId: RealmId, to: readonly UserId[], ids: readonly number[]): Delivery =>
  eventDelivery(realmId, to, flagEvent('add', 'read', ids));

/** Split into as many events as needed. */
export function flagsChanged(
  by: Reader,
  operation: Operation,
  flag: string,
  changed: { readonly ids: readonly number[]; readonly details?: MessageDetails | undefined },
): Delivery[] {
  const { ids, details } = changed;
  const events: Delivery[] = [];
  for (let start = 0; start < ids.length; start += MAX_IDS_AT_ONCE) {
    const some = ids.slice(start, start + MAX_IDS_AT_ONCE);
    const today = details && { message_details: Object.fromEntries(some.map((id) => [id, details.get(id)])) };
    events.push(eventDelivery(by.realmId, [by.id], flagEvent(operation, flag, some), today));
  }
  return events;
}

/** Where messages are that are unread again: today's clients count them by conversation without asking for them. */
export type MessageDetails = ReadonlyMap<number, Readonly<Record<string, unknown>>>;

export interface Unread {
  readonly refs: readonly MessageRef[];
  readonly topicNames: ReadonlyMap<number, string>;
  readonly members: ReadonlyMap<number, readonly number[]>;
  readonly isMentioned: (ref: MessageRef) => boolean;
}

/** The reader is named only in notes to themselves. */
export const detailsOf = (by: UserId, { refs, topicNames, members, isMentioned }: Unread): MessageDetails =>
  new Map(
    refs.map((ref) => {
      const { id, recipientId, topicId } = ref;
      const place =
        topicId === null
          ? { type: 'private', user_ids: (members.get(recipientId) ?? []).filter((member) => member !== by) }
          : { type: 'stream', stream_id: recipientId, topic: topicNames.get(topicId) ?? '' };
      return [id, { ...place, ...(isMentioned(ref) ? { mentioned: true } : {}) }];
    }),
  );
