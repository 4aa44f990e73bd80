/** A user's own settings and alert words. */
import type { Database } from '../../../kernel/mysql/pool';
import { nextHotspots } from '../../model/users/tour';
import type { User } from '../../model/users/user';
import {
  displaySettings,
  notificationSettings,
  ownSettings,
  settingOf,
  type StoredSettings,
} from '../../model/users/user-settings';
import * as alertWords from '../../store/users/alert-words';

export interface OwnSettings {
  /** Keys of update_display_settings. */
  readonly display: Record<string, unknown>;
  /** Keys of update_global_notifications. */
  readonly notifications: Record<string, unknown>;
  /** The others that users change. */
  readonly own: Record<string, unknown>;
  readonly entersSend: boolean;
  readonly translatesEmoticons: boolean;
  readonly hotspots: ReturnType<typeof nextHotspots>;
}

export const settingsOf = (by: Pick<User, 'botType' | 'timezone'>, stored: StoredSettings): OwnSettings => ({
  display: displaySettings(stored, by.timezone),
  notifications: notificationSettings(stored),
  own: ownSettings(stored),
  entersSend: settingOf(stored, 'enter_sends') === true,
  translatesEmoticons: settingOf(stored, 'translate_emoticons') === true,
  // Bots need no tour.
  hotspots: by.botType === null ? nextHotspots(stored) : [],
});

export const listAlertWords = (db: Database, by: User): Promise<string[]> => alertWords.ofUser(db, by.id);
