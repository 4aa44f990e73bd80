/** A user's subscription to a stream, with everything the user may set about it. */
import type { UserId } from '../users/user';
import type { StreamId } from './stream';

/** Kinds of notification; null where the user's general setting decides. */
export const NOTIFICATIONS = ['desktop', 'audible', 'push', 'email', 'wildcard'] as const;
export type Notification = (typeof NOTIFICATIONS)[number];

export interface Subscription {
  readonly streamId: StreamId;
  readonly userId: UserId;
  /** False once the user has left: what they set is kept for their return. */
  readonly isActive: boolean;
  /** The first message received. */
  readonly fromId: number;
  /** The last message read. */
  readonly readId: number;
  readonly color: string;
  readonly isMuted: boolean;
  readonly isPinned: boolean;
  readonly notify: Readonly<Record<Notification, boolean | null>>;
}
