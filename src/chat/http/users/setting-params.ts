/** Parameters that change a user's settings, one for each. */
import { flag, jsonInteger } from '../../../kernel/http/params';
import type { Storage } from '../../../kernel/kernel';
import { updateSettings } from '../../commands/users/update-settings';
import type { Chat } from '../../parts';
import type { User } from '../../model/users/user';
import {
  DISPLAY_SETTINGS,
  NOTIFICATION_SETTINGS,
  OWN_SETTINGS,
  type Setting,
  type SettingValue,
} from '../../model/users/user-settings';
import { looseText } from '../wire-params';

function paramOf({ default: usual }: Setting) {
  if (typeof usual === 'boolean') return flag.optional();
  return typeof usual === 'number' ? jsonInteger.optional() : looseText.optional();
}

const paramsOf = (table: Readonly<Record<string, Setting>>) =>
  Object.fromEntries(Object.entries(table).map(([name, setting]) => [name, paramOf(setting)]));

export const displayParams = paramsOf(DISPLAY_SETTINGS);
export const notificationParams = paramsOf(NOTIFICATION_SETTINGS);
const ownParams = paramsOf(OWN_SETTINGS);
export const settingParams = { ...displayParams, ...notificationParams, ...ownParams };

type Given = Readonly<Record<string, SettingValue | undefined>>;

const chosen = (names: object, given: Readonly<Record<string, unknown>>): Given =>
  Object.fromEntries(Object.keys(names).map((name) => [name, given[name] as SettingValue | undefined]));

const isAnySet = (given: Given) => Object.values(given).some((value) => value !== undefined);

/** Today's clients change settings of all kinds here. Returns whether there were any. */
export async function updateAllSettings(
  chat: Storage & Pick<Chat, 'presencePeople'>,
  by: User,
  given: Readonly<Record<string, unknown>>,
) {
  const kinds = {
    own: chosen(ownParams, given),
    display: chosen(displayParams, given),
    notifications: chosen(notificationParams, given),
  };
  const changed = Object.entries(kinds).filter(([, changes]) => isAnySet(changes));
  for (const [kind, changes] of changed)
    await updateSettings(chat.transaction, by, kind as keyof typeof kinds, changes);
  if (isAnySet(kinds.own)) chat.presencePeople.delete(by.realmId);
  return changed.length > 0;
}
