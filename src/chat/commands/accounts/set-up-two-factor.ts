/** Sets up a second factor: a secret for an authenticator app, enabled by the first correct code. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { findTotpStep, newTotpSecret } from '../../../kernel/passwords/totp';
import {
  newRecoveryCode,
  plainCode,
  RECOVERY_CODES,
  secondFactorIsOn,
  secondFactorNotBegun,
  totpUri,
  wrongConfirmation,
} from '../../model/accounts/two-factor';
import type { User } from '../../model/users/user';
import * as twoFactor from '../../store/accounts/two-factor';
import * as realms from '../../store/organisation/realms';
import * as users from '../../store/users/users';
import { endSessions } from './end-sessions';

export async function beginTwoFactor(kernel: Kernel, by: User): Promise<{ secret: string; uri: string }> {
  const secret = newTotpSecret();
  await kernel.transaction(async ({ db }) => {
    await users.lock(db, by.realmId, by.id);
    ensure((await twoFactor.find(db, by.id))?.isOn !== true, secondFactorIsOn());
    await twoFactor.begin(db, by.id, kernel.secrets.encrypt(secret));
  });
  const realm = await realms.byId(kernel.mysql, by.realmId);
  return { secret, uri: totpUri(secret, realm?.name ?? '', by.email) };
}

export interface Confirmation {
  readonly code: string;
  /** The token of the current session. All others end: whoever opened them had no second factor. */
  readonly keptSession: string | undefined;
}

/** Enables the second factor. Returns the recovery codes, which are never shown again. */
export async function confirmTwoFactor(
  kernel: Kernel,
  by: User,
  { code, keptSession }: Confirmation,
): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await kernel.transaction(async (tx) => {
    const { db } = tx;
    await users.lock(db, by.realmId, by.id);
    const stored = await twoFactor.find(db, by.id);
    ensure(stored !== undefined, secondFactorNotBegun());
    ensure(!stored.isOn, secondFactorIsOn());
    const step = findTotpStep(kernel.secrets.decrypt(stored.secretSealed), plainCode(code), Date.now());
    ensure(step !== undefined, wrongConfirmation());
    await twoFactor.turnOn(db, by.id, step);
    const hashes = codes.map((each) => kernel.secrets.lookup(plainCode(each)));
    await twoFactor.setRecoveryCodes(db, by.id, hashes);
    await endSessions(tx, by, keptSession === undefined ? undefined : kernel.secrets.lookup(keptSession));
  });
  return codes;
}
