/** Rules for the weekly mail to people who were away. */
import type { RealmSettings } from '../organisation/realm-settings';
import { settingOf, type StoredSettings } from '../users/user-settings';

/** Who was active since is not away. Zulip's value. */
export const AWAY_SECONDS = 5 * 86_400;

/** How far back a digest looks. */
export const DIGEST_SECONDS = 7 * 86_400;

export const wantsDigest = (settings: StoredSettings): boolean => settingOf(settings, 'enable_digest_emails') === true;

/** Weekdays are counted from Monday, in UTC. */
export const isDigestDay = (
  { digest_emails_enabled: isEnabled, digest_weekday: weekday }: RealmSettings,
  now: Date,
): boolean => isEnabled && weekday === (now.getUTCDay() + 6) % 7;

/** A topic that was busy meanwhile. */
export interface BusyTopic {
  readonly stream: { readonly id: number; readonly name: string };
  readonly topic: string;
  /** The newest message. */
  readonly newestId: number;
  readonly count: number;
  /** Full names of those who wrote most, and how many others wrote. */
  readonly senders: readonly string[];
  readonly others: number;
}
