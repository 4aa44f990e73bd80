/** The second factor of a sign-in: setting it up, checking it, removing it, and requiring it of everyone. */
import type { Transact } from '../../../kernel/mysql/transaction';
import { emailKey } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import type { Kernel, Storage } from '../../../kernel/kernel';
import { findTotpStep, newTotpSecret } from '../../../kernel/passwords/totp';
import {
  badCode,
  codeRequired,
  isRecoveryShaped,
  isTotpShaped,
  newRecoveryCode,
  plainCode,
  RECOVERY_CODES,
  secondFactorIsOn,
  secondFactorNotBegun,
  totpUri,
  wrongConfirmation,
  wrongProof,
} from '../../model/accounts/two-factor';
import type { User, UserId } from '../../model/users/user';
import { accessChanged } from '../../model/users/user-events';
import { ensureAdmin } from '../../model/users/user-policy';
import * as twoFactor from '../../store/accounts/two-factor';
import * as realms from '../../store/organisation/realms';
import * as users from '../../store/users/users';
import { endSessions } from './sessions';

type Parts = Storage & Pick<Kernel, 'passwords'>;

export async function beginTwoFactor(kernel: Storage, by: User): Promise<{ secret: string; uri: string }> {
  const secret = newTotpSecret();
  await kernel.transaction(async ({ db }) => {
    await users.lock(db, by.realmId, by.id);
    ensure((await twoFactor.find(db, by.id))?.isOn !== true, secondFactorIsOn());
    await twoFactor.begin(db, by.id, kernel.secrets.encrypt(secret));
  });
  const realm = await realms.byId(kernel.mysql, by.realmId);
  return { secret, uri: totpUri(secret, realm?.name ?? '', by.email) };
}

interface Confirmation {
  readonly code: string;
  /** The token of the current session. All others end: whoever opened them had no second factor. */
  readonly keptSession: string | undefined;
}

/** Enables the second factor. Returns the recovery codes, which are never shown again. */
export async function confirmTwoFactor(
  kernel: Storage,
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

/** Removes a second factor: for its owner, who proves themselves by password or code, or for an administrator. */
interface Proof {
  readonly password: string;
  readonly code: string;
  /** The client's IP address. */
  readonly from: string;
}

export async function removeOwnTwoFactor(kernel: Parts, by: User, proof: Proof): Promise<void> {
  ensure(await isProof(kernel, by, proof), wrongProof());
  await removeTwoFactor(kernel.transaction, by);
}

/** Users without a password here must give a code. */
async function isProof(kernel: Parts, by: User, { password, code, from }: Proof): Promise<boolean> {
  const stored = await twoFactor.find(kernel.mysql, by.id);
  if (code !== '') return stored !== undefined && useCode(kernel, by.id, stored, code);
  const { passwordHash } = await users.credentials(kernel.mysql, by.id);
  const requester = { address: from, account: `${by.realmId}:${emailKey(by.email)}` };
  return passwordHash !== null && kernel.passwords.check(password, passwordHash, requester);
}

/** If the organisation requires a second factor, every node re-evaluates the user's sessions. */
export async function removeTwoFactor(transaction: Transact, user: User): Promise<void> {
  await transaction(async (tx) => {
    await users.lock(tx.db, user.realmId, user.id);
    await twoFactor.remove(tx.db, user.id);
    tx.deliver(accessChanged(user.realmId, user.id));
  });
}

/** Requires the second factor of users who have one, and uses up the given code. */
export interface GivenCode {
  /** Empty if none was given. */
  readonly code: string;
  /** Counts an attempt; throws if there were too many. */
  readonly countTry: () => Promise<unknown>;
}

/** Returns whether there was one to check. */
export async function checkSecondFactor(kernel: Storage, user: User, { code, countTry }: GivenCode): Promise<boolean> {
  const stored = await twoFactor.find(kernel.mysql, user.id);
  if (!stored?.isOn) return false;
  ensure(code !== '', codeRequired());
  await countTry();
  ensure(await useCode(kernel, user.id, stored, code), badCode());
  return true;
}

/** Returns whether the code is right. Each code works once. */
async function useCode(
  kernel: Storage,
  userId: UserId,
  { secretSealed }: twoFactor.TwoFactor,
  typed: string,
): Promise<boolean> {
  const code = plainCode(typed);
  if (isTotpShaped(code)) {
    const step = findTotpStep(kernel.secrets.decrypt(secretSealed), code, Date.now());
    return step !== undefined && kernel.transaction(({ db }) => twoFactor.useStep(db, userId, step));
  }
  if (!isRecoveryShaped(code)) return false;
  return kernel.transaction(({ db }) => twoFactor.useRecoveryCode(db, userId, kernel.secrets.lookup(code)));
}

/** Changes an organisation's sign-in rules. */
export async function changeSignInRules(transaction: Transact, by: User, isRequired: boolean): Promise<void> {
  ensureAdmin(by);
  await transaction(async (tx) => {
    await twoFactor.setRequired(tx.db, by.realmId, isRequired);
    if (!isRequired) return;
    // From now on, on every node, these users' sessions can only set up a second factor.
    for (const userId of await twoFactor.peopleWithoutFactor(tx.db, by.realmId)) {
      tx.deliver(accessChanged(by.realmId, userId));
    }
  });
}
