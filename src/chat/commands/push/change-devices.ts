/** Turns pushes on and off for a device of a user, and tries them. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { RequestParts } from '../../../kernel/mailbox/request';
import { deviceChanges, ensureReachable } from '../../../kernel/push/change-devices';
import type { PushAddress } from '../../../kernel/push/push-address';
import { noSuchDevice } from '../../../kernel/push/push-faults';
import { pushMail } from '../../actors/mailboxes';
import { realmTenant } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { findSessionId } from '../../queries/accounts/sessions';
import { pushDevices } from '../../store/push/push-devices';
import * as users from '../../store/users/users';

type Parts = Storage & Pick<Chat, 'push' | 'sessionDays'>;

export interface WantedDevice extends PushAddress {
  readonly agent: string;
  /** Of the session that asks. */
  readonly token: string | undefined;
  /** Whether it says that it is still there: then it is refused if it was removed, or its subscription ended. */
  readonly isRenewal: boolean;
}

const changes = deviceChanges(pushDevices, pushMail, 'invalid');

export async function addPushDevice(chat: Parts, by: User, { token, isRenewal, ...device }: WantedDevice) {
  ensureReachable(chat.push, device);
  const sessionId = token === undefined ? null : ((await findSessionId(chat, token)) ?? null);
  return chat.transaction(async ({ db }) => {
    // So that the number of devices is bounded.
    await users.lock(db, by.realmId, by.id);
    const isWanted = !isRenewal || (await pushDevices.isKnown(db, chat.secrets, by.id, device));
    ensure(isWanted, noSuchDevice('invalid'));
    const owner = { realm_id: by.realmId, user_id: by.id };
    const id = await pushDevices.put(db, chat.secrets, owner, { ...device, sessionId });
    return { device_id: id };
  });
}

export async function removePushDevice({ mysql }: Pick<Storage, 'mysql'>, by: User, id: number) {
  await changes.remove(mysql, { owner: by.id, id });
  return {};
}

export async function testPushDevice(kernel: RequestParts, by: User, id: number) {
  await changes.test(kernel, realmTenant(by.realmId), { owner: by.id, id });
  return {};
}
