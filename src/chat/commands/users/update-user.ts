/** Changes a user's name, role and profile: for administrators, and for users their own profile. */
import { ensure } from '../../../kernel/fault';
import type { Database } from '../../../kernel/mysql/pool';
import type { Tx } from '../../../kernel/mysql/transaction';
import { badRequest, noSuchUser } from '../../model/faults';
import type { RealmId } from '../../model/organisation/realm';
import { checkValue } from '../../model/users/profile-field';
import { isOwner, type Standing, roleNumber, standingOf } from '../../model/users/role';
import type { User } from '../../model/users/user';
import { accessChanged, botChanged, userChanged } from '../../model/users/user-events';
import {
  fieldNotFound,
  guestsAreNoAdmins,
  invalidRole,
  invalidUserId,
  lastAdminStays,
  lastOwnerStays,
  nameInUse,
  ownersOnly,
} from '../../model/users/user-faults';
import { checkFullName, ensureAdmin, isSystemBot } from '../../model/users/user-policy';
import type { ProfileValue } from '../../model/users/user-wire';
import type { Rendering } from '../../parts';
import { renderContent } from '../../queries/messages/render-content';
import * as bots from '../../store/bots/bots';
import * as people from '../../store/users/people';
import * as fields from '../../store/users/profile-fields';
import * as users from '../../store/users/users';
import { followRole } from './follow-role';

export interface UserEdit {
  readonly fullName?: string | undefined;
  readonly isAdmin?: boolean | undefined;
  readonly isGuest?: boolean | undefined;
  /** The number of today's Zulip. */
  readonly role?: number | undefined;
  readonly profile?: readonly WrittenAnswer[] | undefined;
}

export async function updateUser(chat: Rendering, by: User, id: number, edit: UserEdit): Promise<void> {
  ensureAdmin(by);
  const answers = await checkAnswers(chat, by.realmId, edit.profile ?? []);
  await chat.transaction(async (tx) => {
    // Taken first, so that two administrators who demote each other are serialised.
    const changesRole = edit.isAdmin !== undefined || edit.role !== undefined;
    const leaders = changesRole ? await users.lockAdmins(tx.db, by.realmId) : [];
    const user = await users.lock(tx.db, by.realmId, id);
    ensure(user !== undefined && !isSystemBot(user), noSuchUser());
    const standing = standingAfter(user, edit);
    checkLeadership(by, user, standing, leaders);
    if (await changeRole(tx, user, standing)) await followRole(tx, chat.clock, user, { ...user, ...titled(standing) });
    if (edit.fullName !== undefined && edit.fullName.trim() !== '') await renameIn(tx, user, edit.fullName);
    await answerFieldsIn(tx, user, answers);
  });
}

/** What clients of 2.1 say nothing of, stays. */
function standingAfter(user: User, { isAdmin, isGuest, role: number }: UserEdit): Standing {
  if (number !== undefined) {
    const standing = standingOf(number);
    ensure(standing !== undefined, invalidRole());
    return standing;
  }
  const willBeAdmin = isAdmin ?? user.role === 'admin';
  const willBeGuest = isGuest ?? user.role === 'guest';
  ensure(!(willBeAdmin && willBeGuest), guestsAreNoAdmins());
  const role = willBeAdmin ? 'admin' : willBeGuest ? 'guest' : 'member';
  return role === user.role ? user : { role, title: null };
}

/** Only owners make owners, and there always is one. Where there is none yet, administrators may make the first. */
function checkLeadership(by: User, user: User, after: Standing, leaders: readonly users.Leader[]): void {
  if (user.botType !== null || roleNumber(user) === roleNumber(after)) return;
  const others = leaders.filter(({ id }) => id !== user.id);
  ensure(user.role !== 'admin' || after.role === 'admin' || others.length > 0, lastAdminStays());
  if (!isOwner(user) && !isOwner(after)) return;
  const owners = leaders.filter(isOwner);
  ensure(owners.length === 0 || owners.some(({ id }) => id === by.id), ownersOnly());
  ensure(!isOwner(user) || others.some(isOwner), lastOwnerStays());
}

const titled = ({ role, title }: Standing): Standing => ({ role, title });

/** Returns whether it was another one. */
async function changeRole(tx: Tx, user: User, { role, title }: Standing): Promise<boolean> {
  const number = roleNumber({ role, title });
  if (number === roleNumber(user)) return false;
  await users.update(tx.db, user.id, { role, title });
  for (const [name, of] of [
    ['is_admin', 'admin'],
    ['is_guest', 'guest'],
  ] as const) {
    if ((user.role === of) !== (role === of)) tx.deliver(userChanged(user, { [name]: role === of }, { role: number }));
  }
  // Clients of 2.1 know nothing of titles, and pass over what they do not know.
  if (title !== null || user.title !== null) tx.deliver(userChanged(user, { role: number }));
  tx.deliver(accessChanged(user.realmId, user.id));
  return true;
}

/** Renames a user or bot. Returns the stored name. */
export async function renameIn(tx: Tx, user: User, written: string): Promise<string> {
  const fullName = checkFullName(written);
  if (fullName === user.fullName) return fullName;
  if (user.botType !== null) {
    const isOwnName = fullName.toLowerCase() === user.fullName.toLowerCase();
    ensure(isOwnName || !(await bots.isNameInUse(tx.db, user.realmId, fullName)), nameInUse());
  }
  await users.update(tx.db, user.id, { fullName });
  tx.deliver(userChanged(user, { full_name: fullName }));
  await publishBotChange(tx, user, { full_name: fullName });
  return fullName;
}

/** To a bot's owner and the administrators. Users who are no bots have no such event. */
export async function publishBotChange(tx: Tx, bot: User, change: Parameters<typeof botChanged>[1]): Promise<void> {
  if (bot.botType === null) return;
  tx.deliver(botChanged(bot, change, await bots.audience(tx.db, bot.realmId, bot.botOwnerId)));
}

/** As received: an empty value removes the answer. */
export interface WrittenAnswer {
  readonly id: number;
  readonly value: unknown;
}

/** Null removes the answer. */
interface CheckedAnswer {
  readonly fieldId: number;
  readonly answer: fields.Answer | null;
}

/** Runs before the transaction, because rendering is slow and needs no lock. */
async function checkAnswers(
  chat: Rendering,
  realmId: RealmId,
  written: readonly WrittenAnswer[],
): Promise<CheckedAnswer[]> {
  const checked: CheckedAnswer[] = [];
  for (const { id, value } of written) {
    const field = await fields.byId(chat.mysql, realmId, id);
    ensure(field !== undefined, fieldNotFound(id));
    if (isEmpty(value)) {
      checked.push({ fieldId: id, answer: null });
      continue;
    }
    const { value: stored, isMarkdown, userIds } = checkValue(field, value);
    await ensurePeople(chat.mysql, realmId, userIds);
    const rendered = isMarkdown ? (await renderContent(chat, realmId, stored)).html : null;
    checked.push({ fieldId: id, answer: { fieldId: id, value: stored, rendered } });
  }
  return checked;
}

const isEmpty = (value: unknown) => value === '' || value === null || (Array.isArray(value) && value.length === 0);

async function ensurePeople(db: Database, realmId: RealmId, ids: readonly number[]): Promise<void> {
  const found = await people.byIds(db, realmId, ids);
  for (const id of ids) {
    const user = found.find((each) => each.id === id);
    if (!user) throw invalidUserId(id);
    if (!user.isActive) throw badRequest(`User with ID ${id} is deactivated`);
    if (user.botType !== null) throw badRequest(`User with ID ${id} is a bot`);
  }
}

async function answerFieldsIn(tx: Tx, user: User, answers: readonly CheckedAnswer[]): Promise<void> {
  if (answers.length === 0) return;
  const before = await fields.answersOf(tx.db, user.id);
  for (const { fieldId, answer } of answers) {
    const now = answer ? wireOf(answer) : null;
    const old = before[String(fieldId)] ?? null;
    if (old?.value === now?.value && old?.rendered_value === now?.rendered_value) continue;
    if (answer) await fields.setAnswer(tx.db, user.id, answer);
    else await fields.removeAnswer(tx.db, user.id, fieldId);
    tx.deliver(userChanged(user, { custom_profile_field: { id: fieldId, value: null, ...now } }));
  }
}

const wireOf = ({ value, rendered }: fields.Answer): ProfileValue =>
  rendered === null ? { value } : { value, rendered_value: rendered };

/** Updates the user's own answers. */
export async function updateProfile(chat: Rendering, by: User, written: readonly WrittenAnswer[]): Promise<void> {
  const answers = await checkAnswers(chat, by.realmId, written);
  await chat.transaction((tx) => answerFieldsIn(tx, by, answers));
}
