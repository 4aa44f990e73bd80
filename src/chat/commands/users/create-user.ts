/** Adds a user or bot with a new API key to an organisation, and publishes that to everyone. */
import type { Clock } from '../../../kernel/clock';
import { isPlainlySpelled, isSameEmail } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import { newSecret } from '../../../kernel/id';
import { ifDuplicate } from '../../../kernel/mysql/outcome';
import { limitOf } from '../../../kernel/mysql/tenant-limits';
import type { Requester } from '../../../kernel/passwords/password-queue';
import type { Tx } from '../../../kernel/mysql/transaction';
import { disguisedEmail, emailTaken, notAnEmail, organisationFull } from '../../model/faults';
import type { Endpoint } from '../../model/bots/outgoing-webhook';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import {
  isEmail,
  KEY_LENGTH,
  SYSTEM_BOT_EMAIL,
  type BotType,
  type Role,
  type Title,
  type User,
  type UserId,
} from '../../model/users/user';
import { roleNumber } from '../../model/users/role';
import { botAdded, userAdded, userChanged } from '../../model/users/user-events';
import { checkFullName } from '../../model/users/user-policy';
import type { Enrolling } from '../../parts';
import * as endpoints from '../../store/bots/bot-endpoints';
import * as bots from '../../store/bots/bots';
import * as realmSizes from '../../store/organisation/realm-sizes';
import * as realms from '../../store/organisation/realms';
import * as users from '../../store/users/users';
import { storeAvatar, type AvatarDraft } from '../uploads/change-pictures';
import { hashNewPassword } from '../accounts/hash-new-password';
import { joinDefaultStreams } from '../streams/default-streams';
import { followRole } from './follow-role';
import { sendWelcome } from './welcome-newcomer';

export interface UserDraft {
  readonly realmId: RealmId;
  readonly email: string;
  readonly fullName: string;
  /** Defaults to the part before the @. */
  readonly shortName?: string;
  readonly role: Role;
  readonly title?: Title | null;
  readonly password?: string;
  /** Who sets the password; by default the local command line. */
  readonly setBy?: Requester;
  /** The hash of a well-known demo password, in place of a password. */
  readonly passwordHash?: string;
  readonly avatar?: AvatarDraft;
  /** Groups of default streams to join, by name. */
  readonly streamGroups?: readonly string[];
  /** Whether the notification bot writes to the new person. */
  readonly isWelcomed?: boolean;
  readonly bot?: {
    readonly type: BotType;
    readonly ownerId: UserId;
    /** The endpoint of an outgoing webhook bot. */
    readonly endpoint?: Endpoint | undefined;
  } & bots.DefaultsChange;
}

export interface Created {
  readonly id: UserId;
  readonly key: string;
}

export async function createUser(kernel: Enrolling, draft: UserDraft): Promise<Created> {
  const prepared = await prepareUser(kernel, draft);
  return kernel.transaction(async (tx) => {
    const added = await addUser(tx, prepared);
    if (draft.bot) await bots.setDefaults(tx.db, added.id, draft.bot);
    if (draft.bot?.endpoint) await endpoints.set(tx.db, kernel.secrets, added, draft.bot.endpoint);
    const user = draft.avatar ? await storeAvatar(tx.db, added, draft.avatar) : added;
    await publishArrival(tx, kernel.clock, user);
    if (user.botType === null && user.role !== 'guest')
      await joinDefaultStreams(tx, kernel.clock, user, draft.streamGroups);
    if (draft.isWelcomed === true) sendWelcome(tx, user);
    return { id: user.id, key: prepared.key };
  });
}

/** A checked draft, including everything too slow for a transaction. */
export interface PreparedUser {
  readonly row: users.NewUser;
  readonly key: string;
}

export async function prepareUser(kernel: Enrolling, draft: UserDraft): Promise<PreparedUser> {
  ensure(isPlainlySpelled(draft.email), disguisedEmail());
  if (!isEmail(draft.email)) throw notAnEmail();
  if (isSameEmail(draft.email, SYSTEM_BOT_EMAIL)) throw emailTaken(draft.email);
  const fullName = checkFullName(draft.fullName);
  const key = newSecret(KEY_LENGTH);
  const passwordHash = draft.passwordHash ?? (await hashOf(kernel, draft));
  const row = {
    realmId: draft.realmId,
    email: draft.email,
    fullName,
    shortName: draft.shortName ?? draft.email.split('@')[0]!,
    role: draft.role,
    title: draft.title ?? null,
    botType: draft.bot?.type ?? null,
    botOwnerId: draft.bot?.ownerId ?? null,
    timezone: '',
    passwordHash,
    keyHash: kernel.secrets.lookup(key),
    keySealed: kernel.secrets.encrypt(key),
  };
  return { row, key };
}

/** The caller also publishes the arrival and subscribes the user. */
export async function addUser(tx: Tx, { row }: PreparedUser): Promise<User> {
  if (row.botType === null) await ensureRoom(tx, row.realmId);
  const title = row.title ?? ((await leadsFirst(tx, row)) ? 'owner' : null);
  const id = await users.insert(tx.db, { ...row, title }).catch(ifDuplicate(() => emailTaken(row.email)));
  return (await users.byId(tx.db, row.realmId, id))!;
}

/** The first administrator of an organisation owns it. */
const leadsFirst = async ({ db }: Tx, { role, botType, realmId }: users.NewUser): Promise<boolean> =>
  role === 'admin' && botType === null && !(await users.hasOwner(db, realmId));

/** Operators may limit an organisation's users. Bots and deactivated users do not count. */
export async function ensureRoom({ db }: Tx, realmId: RealmId): Promise<void> {
  const most = await limitOf(db, realmTenant(realmId), 'people');
  if (most === null) return;
  // Serialises concurrent arrivals.
  await realms.lock(db, realmId);
  ensure((await realmSizes.countPeople(db, realmId)) < most, organisationFull(most));
}

const THIS_MACHINE: Requester = { address: '', account: '' };

async function hashOf(kernel: Enrolling, draft: UserDraft): Promise<string | null> {
  const { password, setBy: by = THIS_MACHINE, email, fullName } = draft;
  return password === undefined ? null : hashNewPassword(kernel, { password, words: [email, fullName], by });
}

/** Publishes a user who is new or reactivated. */
export async function publishArrival(tx: Tx, clock: Clock, user: User): Promise<void> {
  tx.deliver(userAdded(user));
  // Of a title, only today's clients read in the account itself.
  if (user.title !== null) tx.deliver(userChanged(user, { role: roleNumber(user) }));
  await followRole(tx, clock, undefined, user);
  if (user.botType === null) return;
  const audience = await bots.audience(tx.db, user.realmId, user.botOwnerId);
  tx.deliver(botAdded(user, await bots.defaultsOf(tx.db, user.id), audience));
}
