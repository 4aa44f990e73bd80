/** Stores the push tokens of mobile devices. Nothing is pushed yet. */
import { ensure } from '../../../kernel/fault';
import type { Transact } from '../../../kernel/mysql/transaction';
import { badRequest } from '../../model/faults';
import type { User } from '../../model/users/user';
import { invalidToken, unknownToken } from '../../model/users/user-faults';
import * as devices from '../../store/users/push-devices';

const MAX_TOKEN_LENGTH = 512;

export type DeviceKind = devices.PushDevice['kind'];

function checkToken(kind: DeviceKind, token: string): void {
  ensure(/^[\x21-\x7e]+$/.test(token) && token.length <= MAX_TOKEN_LENGTH, invalidToken());
  ensure(kind !== 'apns' || /^[0-9a-f]+$/i.test(token), badRequest('Invalid APNS token'));
}

export async function registerDevice(
  transaction: Transact,
  by: User,
  kind: DeviceKind,
  { token, appId }: { token: string; appId: string },
): Promise<void> {
  checkToken(kind, token);
  await transaction((tx) => devices.add(tx.db, { userId: by.id, kind, token, appId: appId.slice(0, 100) }));
}

export async function forgetDevice(transaction: Transact, by: User, kind: DeviceKind, token: string): Promise<void> {
  checkToken(kind, token);
  const wasThere = await transaction((tx) => devices.remove(tx.db, { userId: by.id, kind, token }));
  ensure(wasThere, unknownToken());
}
