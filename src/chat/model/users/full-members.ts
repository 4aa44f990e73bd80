/**
 * Who is a full member to clients: whoever joined until some moment. It lags behind the clock, by which the server itself
 * tells newcomers, until everybody has been told of those who became full members meanwhile.
 */
import type { Realm } from '../organisation/realm';
import type { RealmSettings } from '../organisation/realm-settings';

const DAY_MS = 86_400_000;
/** Where nobody is new; within what a DATETIME holds. */
const ALWAYS = new Date('9999-12-31');

export const fullMembersAt = ({ waiting_period_threshold: days }: RealmSettings, now: Date): Date =>
  days === 0 ? ALWAYS : new Date(now.getTime() - days * DAY_MS);

export const fullMembersUntil = ({ settings, fullMembersUntil: told }: Realm, now: Date): Date =>
  settings.waiting_period_threshold === 0 ? ALWAYS : (told ?? fullMembersAt(settings, now));
