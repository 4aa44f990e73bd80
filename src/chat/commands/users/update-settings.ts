/** Changes a user's own settings. Publishes them to the user's other clients, and the time zone to everyone. */
import type { Kernel } from '../../../kernel/kernel';
import { eventDelivery } from '../../model/events/event';
import type { User } from '../../model/users/user';
import { userChanged } from '../../model/users/user-events';
import { checkSetting, settingOf, withSetting, type SettingValue } from '../../model/users/user-settings';
import * as settings from '../../store/users/user-settings';
import * as users from '../../store/users/users';

export type SettingsKind = 'display' | 'notifications' | 'own';
export type Changes = Readonly<Record<string, SettingValue | undefined>>;

/** Returns what changed. */
export async function updateSettings(
  kernel: Kernel,
  by: User,
  kind: SettingsKind,
  changes: Changes,
): Promise<Record<string, SettingValue>> {
  const given = Object.entries(changes).filter((entry): entry is [string, SettingValue] => entry[1] !== undefined);
  for (const [name, value] of given) checkSetting(name, value);
  return kernel.transaction(async (tx) => {
    let stored = await settings.lock(tx.db, by.id);
    const changed: Record<string, SettingValue> = {};
    for (const [name, value] of given) {
      const before = name === 'timezone' ? by.timezone : settingOf(stored, name);
      if (before === value) continue;
      changed[name] = value;
      if (kind !== 'own') tx.deliver(eventDelivery(by.realmId, [by.id], eventOf(kind, by, name, value)));
      if (name !== 'timezone') {
        stored = withSetting(stored, name, value);
        continue;
      }
      await users.update(tx.db, by.id, { timezone: String(value) });
      tx.deliver(userChanged(by, { timezone: value }));
    }
    if (Object.keys(changed).length > 0) await settings.write(tx.db, by.id, stored);
    return changed;
  });
}

function eventOf(kind: 'display' | 'notifications', by: User, name: string, setting: SettingValue) {
  if (kind === 'notifications') {
    return { type: 'update_global_notifications', user: by.email, notification_name: name, setting };
  }
  const language = name === 'default_language' ? { language_name: languageName(String(setting)) } : {};
  return { type: 'update_display_settings', user: by.email, setting_name: name, setting, ...language };
}

function languageName(code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(code.replace('_', '-')) ?? code;
}
