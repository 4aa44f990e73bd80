/** A user's subscription to a stream, with its settings. */
import type { UserId } from '../users/user';
import type { StreamId } from './stream';

/** Kinds of notification; null if the user's general setting applies. */
export const NOTIFICATIONS = ['desktop', 'audible', 'push', 'email', 'wildcard'] as const;
export type Notification = (typeof NOTIFICATIONS)[number];

export interface Subscription {
  readonly streamId: StreamId;
  readonly userId: UserId;
  /** False after the user has left. The settings are kept for their return. */
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
