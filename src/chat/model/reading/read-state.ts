/** What a user has received, read and flagged, derived from intervals, cursors and exceptions to them. */
import { FLAG_NAMES, FLAGS, TRAITS, type FlagName } from '../messages/message';
import type { UserId } from '../users/user';

/** A range of ids, inclusive at both ends. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** The end of an open-ended interval. */
export const ENDLESS = Number.MAX_SAFE_INTEGER;

/** One user's view of a stream or private conversation. */
export interface Place {
  readonly recipientId: number;
  /** Null for a private conversation. */
  readonly stream: { readonly isPrivate: boolean; readonly isHistoryPublic: boolean } | null;
  readonly isSubscribed: boolean;
  readonly isMuted: boolean;
  /** The last message read. */
  readonly readId: number;
  readonly received: readonly Interval[];
}

export interface ReadState {
  readonly userId: UserId;
  /** Everything up to here is read, in every conversation. */
  readonly readId: number;
  readonly places: ReadonlyMap<number, Place>;
}

/** The part of a message that narrows and read state need. */
export interface MessageRef {
  readonly id: number;
  readonly recipientId: number;
  /** Null in private conversations. */
  readonly topicId: number | null;
  readonly senderId: number;
  readonly traits: number;
}

/** A user's flags and exceptions on some messages, and their cursors in some topics. */
export interface Marks {
  /** Exceptions to the cursors. */
  readonly isRead: ReadonlyMap<number, boolean>;
  /** Flag numbers by message. */
  readonly flags: ReadonlyMap<number, ReadonlySet<number>>;
  readonly topicReadIds: ReadonlyMap<number, number>;
}

export function hasReceived(state: ReadState, { recipientId, id }: Pick<MessageRef, 'recipientId' | 'id'>): boolean {
  return state.places.get(recipientId)?.received.some(({ from, to }) => from <= id && id <= to) ?? false;
}

/** Everything in this conversation up to here is read, except for exceptions. */
export const cursorIn = (state: ReadState, recipientId: number): number =>
  Math.max(state.readId, state.places.get(recipientId)?.readId ?? 0);

/** Whether a message is read by the cursors alone. */
export function isReadByCursor(state: ReadState, ref: MessageRef, marks: Pick<Marks, 'topicReadIds'>): boolean {
  if (ref.senderId === state.userId && (ref.traits & TRAITS.senderRead) !== 0) return true;
  const topicRead = ref.topicId === null ? 0 : (marks.topicReadIds.get(ref.topicId) ?? 0);
  return ref.id <= Math.max(cursorIn(state, ref.recipientId), topicRead);
}

export const isRead = (state: ReadState, ref: MessageRef, marks: Marks): boolean =>
  marks.isRead.get(ref.id) ?? isReadByCursor(state, ref, marks);

export const isUnread = (state: ReadState, ref: MessageRef, marks: Marks): boolean =>
  hasReceived(state, ref) && !isRead(state, ref, marks);

export function hasFlag(state: ReadState, ref: MessageRef, marks: Marks, flag: FlagName): boolean {
  // A wildcard mentions the whole audience: it is a trait of the message, not a row per user. Mentions of a topic are rows.
  if (flag === 'wildcard_mentioned' && (ref.traits & TRAITS.wildcard) !== 0) return hasReceived(state, ref);
  return marks.flags.get(ref.id)?.has(FLAGS[flag]) ?? false;
}

/** In the order of the wire format. Messages that were never received count as read. */
export function flagsOf(state: ReadState, ref: MessageRef, marks: Marks): string[] {
  const set = FLAG_NAMES.filter((flag) => hasFlag(state, ref, marks, flag));
  if (!hasReceived(state, ref)) return ['read', ...set, 'historical'];
  return isRead(state, ref, marks) ? ['read', ...set] : set;
}

/** Whether a user may read a stream's whole history. */
export function mayReadHistory(
  isGuest: boolean,
  stream: { readonly isPrivate: boolean; readonly isHistoryPublic: boolean },
  isSubscribed: boolean,
): boolean {
  return stream.isPrivate ? isSubscribed && stream.isHistoryPublic : !isGuest || isSubscribed;
}
