/** Rules for which missed messages are mailed. */
import type { RealmId } from '../organisation/realm';
import type { UserId } from '../users/user';
import { settingOf, type StoredSettings } from '../users/user-settings';

/** A user's missed messages, which are mailed together. */
export interface MissedBy {
  readonly realmId: RealmId;
  readonly userId: UserId;
  readonly messageIds: readonly number[];
}

/** A user active this shortly before a message sees it without a mail. Zulip's value. */
const ACTIVE_SECONDS = 140;

/** Whether a user who was last active at `lastActive` has seen, or will see, the message. Both in Unix seconds. */
export const hasSeen = (sentAt: number, lastActive = 0): boolean => lastActive >= sentAt - ACTIVE_SECONDS;

export const wantsMail = (settings: StoredSettings): boolean =>
  settingOf(settings, 'enable_offline_email_notifications') === true;

/** Older messages are not mailed, for example after an outage or when mail was just set up. */
export const OLDEST_MISSED_SECONDS = 3600;
