/** What a user has received, read and flagged, worked out from intervals, cursors and the exceptions to them. */
import { FLAG_NAMES, FLAGS, TRAITS, type FlagName } from '../messages/message';
import type { UserId } from '../users/user';

/** Ids from and to which something holds, both included. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** The end of what has no end yet. */
export const ENDLESS = Number.MAX_SAFE_INTEGER;

/** A stream or a private conversation, as one user has part in it. */
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
  /** Everything up to here is read, wherever it stands. */
  readonly readId: number;
  readonly places: ReadonlyMap<number, Place>;
}

/** All that narrows and read state need to know of a message. */
export interface MessageRef {
  readonly id: number;
  readonly recipientId: number;
  /** Null in private conversations. */
  readonly topicId: number | null;
  readonly senderId: number;
  readonly traits: number;
}

/** What one user has set on some messages, and how far they read some topics. */
export interface Marks {
  /** Exceptions to the cursors. */
  readonly isRead: ReadonlyMap<number, boolean>;
  /** Numbers of flags, by message. */
  readonly flags: ReadonlyMap<number, ReadonlySet<number>>;
  readonly topicReadIds: ReadonlyMap<number, number>;
}

export function hasReceived(state: ReadState, { recipientId, id }: Pick<MessageRef, 'recipientId' | 'id'>): boolean {
  return state.places.get(recipientId)?.received.some(({ from, to }) => from <= id && id <= to) ?? false;
}

/** Everything up to here is read in this place, but for exceptions. */
export const cursorIn = (state: ReadState, recipientId: number): number =>
  Math.max(state.readId, state.places.get(recipientId)?.readId ?? 0);

/** What the cursors alone say of a message. */
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
  // A wildcard mentions all who hear it: a trait of the message, not a row for each of them.
  if (flag === 'wildcard_mentioned') return (ref.traits & TRAITS.wildcard) !== 0 && hasReceived(state, ref);
  return marks.flags.get(ref.id)?.has(FLAGS[flag]) ?? false;
}

/** In the order of the wire. What was never received counts as read. */
export function flagsOf(state: ReadState, ref: MessageRef, marks: Marks): string[] {
  const set = FLAG_NAMES.filter((flag) => hasFlag(state, ref, marks, flag));
  if (!hasReceived(state, ref)) return ['read', ...set, 'historical'];
  return isRead(state, ref, marks) ? ['read', ...set] : set;
}

/** Whether a user may look at everything that was ever said in a stream. */
export function mayReadHistory(
  isGuest: boolean,
  stream: { readonly isPrivate: boolean; readonly isHistoryPublic: boolean },
  isSubscribed: boolean,
): boolean {
  return stream.isPrivate ? isSubscribed && stream.isHistoryPublic : !isGuest || isSubscribed;
}
