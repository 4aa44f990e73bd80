/** Turns pushes on and off for a device of a user, and tries them. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { RequestParts } from '../../../kernel/mailbox/request';
import { type PushAddress, troubleOf } from '../../../kernel/push/push-address';
import { pushMail } from '../../actors/mailboxes';
import { realmTenant } from '../../model/organisation/realm';
import { badPushAddress, noSuchDevice, pushesAreOff } from '../../model/push/push-payload';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { findSessionId } from '../../queries/accounts/sessions';
import { startAtHead } from '../../store/push/push-candidates';
import { isAnyIn, pushDevices } from '../../store/push/push-devices';
import * as users from '../../store/users/users';

type Parts = Storage & Pick<Chat, 'push' | 'sessionDays'>;

export interface WantedDevice extends PushAddress {
  readonly agent: string;
  /** Of the session that asks. */
  readonly token: string | undefined;
}

const MAX_AGENT_LENGTH = 200;

/** A device that is known already says that it is still there. */
export async function addPushDevice(chat: Parts, by: User, { agent, token, ...address }: WantedDevice) {
  ensure(chat.push.isOn, pushesAreOff());
  const trouble = troubleOf(address, chat.push.outbound);
  if (trouble !== undefined) throw badPushAddress(trouble);
  const sessionId = token === undefined ? null : ((await findSessionId(chat, token)) ?? null);
  return chat.transaction(async ({ db }) => {
    // So that the number of devices is bounded.
    await users.lock(db, by.realmId, by.id);
    if (!(await isAnyIn(db, by.realmId))) await startAtHead(db, by.realmId);
    const device = { ...address, sessionId, agent: agent.slice(0, MAX_AGENT_LENGTH) };
    const id = await pushDevices.put(db, chat.secrets, { realm_id: by.realmId, user_id: by.id }, device);
    return { device_id: id };
  });
}

export async function removePushDevice({ mysql }: Pick<Storage, 'mysql'>, by: User, id: number) {
  ensure(await pushDevices.remove(mysql, by.id, id), noSuchDevice());
  return {};
}

/** Answers once the push service has taken the test, or not. */
export async function testPushDevice(kernel: RequestParts & Pick<Storage, 'mysql'>, by: User, id: number) {
  const own = await pushDevices.list(kernel.mysql, by.id);
  ensure(
    own.some((device) => device.id === id),
    noSuchDevice(),
  );
  await pushMail.at(realmTenant(by.realmId), String(id)).request(kernel, { isTest: true });
  return {};
}
