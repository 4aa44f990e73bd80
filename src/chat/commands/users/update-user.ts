/** Changes a user's name, role and profile: for administrators, and for users their own profile. */
import { ensure } from '../../../kernel/fault';
import type { Database } from '../../../kernel/mysql/pool';
import type { Tx } from '../../../kernel/mysql/transaction';
import { badRequest, noSuchUser } from '../../model/faults';
import type { RealmId } from '../../model/organisation/realm';
import { roleNumber } from '../../model/profiles/today-shapes';
import { checkValue } from '../../model/users/profile-field';
import type { Role, User } from '../../model/users/user';
import { accessChanged, botChanged, userChanged } from '../../model/users/user-events';
import {
  fieldNotFound,
  guestsAreNoAdmins,
  invalidUserId,
  lastAdminStays,
  nameInUse,
} from '../../model/users/user-faults';
import { checkFullName, ensureAdmin, isSystemBot } from '../../model/users/user-policy';
import type { ProfileValue } from '../../model/users/user-wire';
import type { Rendering } from '../../parts';
import { renderContent } from '../../queries/messages/render-content';
import * as bots from '../../store/bots/bots';
import * as people from '../../store/users/people';
import * as fields from '../../store/users/profile-fields';
import * as users from '../../store/users/users';

export interface UserEdit {
  readonly fullName?: string | undefined;
  readonly isAdmin?: boolean | undefined;
  readonly isGuest?: boolean | undefined;
  readonly profile?: readonly WrittenAnswer[] | undefined;
}

export async function updateUser(chat: Rendering, by: User, id: number, edit: UserEdit): Promise<void> {
  ensureAdmin(by);
  const answers = await checkAnswers(chat, by.realmId, edit.profile ?? []);
  await chat.transaction(async (tx) => {
    // Taken first, so that two administrators who demote each other are serialised.
    const admins = edit.isAdmin === false ? await users.lockAdmins(tx.db, by.realmId) : [];
    const user = await users.lock(tx.db, by.realmId, id);
    ensure(user !== undefined && !isSystemBot(user), noSuchUser());
    const role = roleAfter(user.role, edit);
    const isLast = user.role === 'admin' && role !== 'admin' && admins.every((admin) => admin === user.id);
    ensure(!isLast || user.botType !== null, lastAdminStays());
    await changeRole(tx, user, role);
    if (edit.fullName !== undefined && edit.fullName.trim() !== '') await renameIn(tx, user, edit.fullName);
    await answerFieldsIn(tx, user, answers);
  });
}

function roleAfter(role: Role, { isAdmin, isGuest }: UserEdit): Role {
  const willBeAdmin = isAdmin ?? role === 'admin';
  const willBeGuest = isGuest ?? role === 'guest';
  ensure(!(willBeAdmin && willBeGuest), guestsAreNoAdmins());
  if (willBeAdmin) return 'admin';
  return willBeGuest ? 'guest' : 'member';
}

async function changeRole(tx: Tx, user: User, role: Role): Promise<void> {
  if (role === user.role) return;
  await users.update(tx.db, user.id, { role });
  for (const [name, of] of [
    ['is_admin', 'admin'],
    ['is_guest', 'guest'],
  ] as const) {
    if ((user.role === of) !== (role === of))
      tx.deliver(userChanged(user, { [name]: role === of }, { role: roleNumber(role) }));
  }
  tx.deliver(accessChanged(user.realmId, user.id));
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
