/** Changes a user's own settings. Publishes them to their other clients, and the time zone to everyone. */
import { ensure } from '../../../kernel/fault';
import type { Transact } from '../../../kernel/mysql/transaction';
import { eventDelivery, todayDelivery } from '../../model/events/event';
import { modeText, readZcommand } from '../../model/messages/zcommand';
import { isHotspot, nextHotspots, withSeen } from '../../model/users/tour';
import type { User } from '../../model/users/user';
import { userChanged } from '../../model/users/user-events';
import { unknownHotspot } from '../../model/users/user-faults';
import { ensureHuman } from '../../model/users/user-policy';
import { checkSetting, chosenSetting, type SettingValue, withSetting } from '../../model/users/user-settings';
import * as settings from '../../store/users/user-settings';
import * as users from '../../store/users/users';

type SettingsKind = 'display' | 'notifications' | 'own';
type Changes = Readonly<Record<string, SettingValue | undefined>>;

/** Returns what changed. */
export async function updateSettings(
  transaction: Transact,
  by: User,
  kind: SettingsKind,
  changes: Changes,
): Promise<Record<string, SettingValue>> {
  const given = Object.entries(changes).filter((entry): entry is [string, SettingValue] => entry[1] !== undefined);
  for (const [name, value] of given) checkSetting(name, value);
  return transaction(async (tx) => {
    let stored = await settings.lock(tx.db, by.id);
    const changed: Record<string, SettingValue> = {};
    for (const [name, value] of given) {
      const before = name === 'timezone' ? by.timezone : chosenSetting(stored, name);
      if (before === value) continue;
      changed[name] = value;
      tx.deliver(
        kind === 'own'
          ? todayDelivery(by.realmId, [by.id], { type: 'user_settings', op: 'update', property: name, value })
          : eventDelivery(by.realmId, [by.id], eventOf(kind, by, name, value)),
      );
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

/** Runs a slash command that a user typed. */
export async function runZcommand(transaction: Transact, by: User, written: string): Promise<{ msg?: string }> {
  const command = readZcommand(written);
  if (command.kind === 'ping') return {};
  const changed = await updateSettings(transaction, by, 'display', { night_mode: command.isNight });
  return { msg: modeText(command, Object.keys(changed).length > 0) };
}

/** Records that a user has seen a step of the tour, and publishes the next ones to their clients. */
export async function seeHotspot(transaction: Transact, by: User, name: string): Promise<void> {
  ensureHuman(by);
  ensure(isHotspot(name), unknownHotspot(name));
  await transaction(async (tx) => {
    const before = await settings.lock(tx.db, by.id);
    const after = withSetting(before, 'seen_hotspots', withSeen(before, name));
    await settings.write(tx.db, by.id, after);
    tx.deliver(eventDelivery(by.realmId, [by.id], { type: 'hotspots', hotspots: nextHotspots(after) }));
  });
}
