/** Which messages are mailed to people who missed them. */
import type { RealmId } from '../organisation/realm';
import type { UserId } from '../users/user';
import { settingOf, type StoredSettings } from '../users/user-settings';

/** Messages that somebody missed, which are mailed together. */
export interface MissedBy {
  readonly realmId: RealmId;
  readonly userId: UserId;
  readonly messageIds: readonly number[];
}

/** Somebody active so shortly before a message sees it without a mail. As on the real server. */
const ACTIVE_SECONDS = 140;

/** Whether somebody who was last active then has seen a message that was sent then, or will; both in seconds. */
export const hasSeen = (sentAt: number, lastActive = 0): boolean => lastActive >= sentAt - ACTIVE_SECONDS;

export const wantsMail = (settings: StoredSettings): boolean =>
  settingOf(settings, 'enable_offline_email_notifications') === true;

/** Later than this nobody wants to hear of it by mail: after an outage, or when mail was just set up. */
export const OLDEST_MISSED_SECONDS = 3600;
