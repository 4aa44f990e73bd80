/** Rows of chat_profile_fields and chat_profile_values: an organisation's custom profile fields, and users' answers. */
import type { Knex } from 'knex';
import { groupBy } from '../../../kernel/group';
import { send } from '../../../kernel/mysql/direct';
import { readOf, runRead, together, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';
import type { FieldDraft, ProfileField } from '../../model/users/profile-field';
import type { User, UserId } from '../../model/users/user';
import type { ProfileData, ProfileValue } from '../../model/users/user-wire';
import { put } from '../rows';

const SELECT = 'SELECT id, name, hint, type, field_data, place AS `order` FROM chat_profile_fields WHERE realm_id = ?';

export const listRead = (realmId: RealmId): Read<readonly ProfileField[]> =>
  readOf(`${SELECT} ORDER BY place, id`, [realmId], (rows: readonly ProfileField[]) => rows);

export const list = (db: Knex, realmId: RealmId): Promise<readonly ProfileField[]> => runRead(db, listRead(realmId));

export async function byId(db: Knex, realmId: RealmId, id: number): Promise<ProfileField | undefined> {
  const [field] = (await send(db, `${SELECT} AND id = ?`, [realmId, id])) as ProfileField[];
  return field;
}

/** Appends the field to the list. */
export async function insert(db: Knex, realmId: RealmId, field: FieldDraft): Promise<number> {
  const [last] = (await db('chat_profile_fields').where({ realm_id: realmId }).max({ place: 'place' })) as [
    { place: number | null },
  ];
  const { name, hint, type, field_data } = field;
  const row = { realm_id: realmId, name, hint, type, field_data, place: (last.place ?? 0) + 1 };
  const [id] = await db('chat_profile_fields').insert(row);
  return id!;
}

export async function update(
  db: Knex,
  id: number,
  change: Partial<Pick<ProfileField, 'name' | 'hint' | 'field_data'>>,
): Promise<void> {
  await db('chat_profile_fields').where({ id }).update(change);
}

export async function reorder(db: Knex, ids: readonly number[]): Promise<void> {
  for (const [place, id] of ids.entries()) await db('chat_profile_fields').where({ id }).update({ place });
}

export async function remove(db: Knex, id: number): Promise<void> {
  await db('chat_profile_fields').where({ id }).delete();
}

const ofWire = ({ value, rendered }: AnswerRow): ProfileValue =>
  rendered === null ? { value } : { value, rendered_value: rendered };

/** The answers of an organisation's users. */
export const answersRead = (realmId: RealmId): Read<ReadonlyMap<UserId, ProfileData>> =>
  readOf(
    'SELECT v.user_id, v.field_id, v.value, v.rendered FROM chat_profile_fields f ' +
      'JOIN chat_profile_values v ON v.field_id = f.id WHERE f.realm_id = ?',
    [realmId],
    answersByUser,
  );

/** The answers of some users. There must be at least one id. */
export const answersOfRead = (userIds: readonly UserId[]): Read<ReadonlyMap<UserId, ProfileData>> =>
  readOf(
    'SELECT user_id, field_id, value, rendered FROM chat_profile_values WHERE user_id IN (?)',
    [userIds],
    answersByUser,
  );

const answersByUser = (rows: readonly (AnswerRow & { readonly user_id: UserId })[]): Map<UserId, ProfileData> =>
  new Map([...groupBy(rows, (row) => row.user_id)].map(([userId, own]) => [userId, answersIn(own)]));

interface AnswerRow {
  readonly field_id: number;
  readonly value: string;
  readonly rendered: string | null;
}

const ANSWERS = 'SELECT field_id, value, rendered FROM chat_profile_values WHERE user_id = ? ORDER BY field_id';

const answersIn = (rows: readonly AnswerRow[]): ProfileData =>
  Object.fromEntries(rows.map((row) => [row.field_id, ofWire(row)]));

export async function answersOf(db: Knex, userId: UserId): Promise<ProfileData> {
  return answersIn((await send(db, ANSWERS, [userId])) as AnswerRow[]);
}

export interface Answer {
  readonly fieldId: number;
  readonly value: string;
  readonly rendered: string | null;
}

export async function setAnswer(db: Knex, userId: UserId, { fieldId, value, rendered }: Answer): Promise<void> {
  await put(db('chat_profile_values'), { user_id: userId, field_id: fieldId }, { value, rendered });
}

export async function removeAnswer(db: Knex, userId: UserId, fieldId: number): Promise<void> {
  await db('chat_profile_values').where({ user_id: userId, field_id: fieldId }).delete();
}

const LAST_BY = 'SELECT id FROM chat_messages WHERE realm_id = ? AND sender_id = ? ORDER BY id DESC LIMIT 1';

/** A user's answers and their last message, which is −1 if there is none. */
export const ownProfileRead = ({ id, realmId }: User) =>
  together({
    answers: readOf(ANSWERS, [id], answersIn),
    lastMessage: readOf(LAST_BY, [realmId, id], ([last]: readonly { readonly id: number }[]) => last?.id ?? -1),
  });
