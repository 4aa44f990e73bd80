/** What a user missed, and when a message counts as missed. */
import type { RealmId } from '../organisation/realm';
import type { MessageRef } from '../reading/read-state';
import type { UserId } from '../users/user';

/** A user's missed messages, which are mailed together. */
export interface MissedBy {
  readonly realmId: RealmId;
  readonly userId: UserId;
  readonly messageIds: readonly number[];
}

/** A message that mentions everybody, whose subscribers after this one are still to be told. */
export interface CalledAll {
  readonly realmId: RealmId;
  readonly calledBy: number;
  readonly after: UserId;
}

export interface Missed extends MessageRef {
  readonly realmId: RealmId;
  readonly userId: UserId;
  /** In Unix seconds. */
  readonly sentAt: number;
}

/** A user active this shortly before a message sees it without a mail or a push. Zulip's value. */
const ACTIVE_SECONDS = 140;

/** Whether a user who was last active at `lastActive` has seen, or will see, the message. Both in Unix seconds. */
export const hasSeen = (sentAt: number, lastActive = 0): boolean => lastActive >= sentAt - ACTIVE_SECONDS;

/** Nobody is told of older messages, for example after an outage or when mail was just set up. */
export const OLDEST_MISSED_SECONDS = 3600;
