/** Rows of chat_profile_fields and chat_profile_values: an organisation's custom profile fields, and users' answers. */
import type { Knex } from 'knex';
import { send } from '../../../kernel/mysql/direct';
import type { RealmId } from '../../model/organisation/realm';
import type { FieldDraft, FieldType, ProfileField } from '../../model/users/profile-field';
import type { User, UserId } from '../../model/users/user';
import type { ProfileData, ProfileValue } from '../../model/users/user-wire';

interface Row {
  id: number;
  name: string;
  hint: string;
  type: FieldType;
  field_data: string;
  place: number;
}

const fieldOf = ({ id, name, hint, type, field_data, place }: Row): ProfileField => ({
  id,
  name,
  hint,
  type,
  field_data,
  order: place,
});

export async function list(db: Knex, realmId: RealmId): Promise<ProfileField[]> {
  const rows = (await db('chat_profile_fields').where({ realm_id: realmId }).orderBy(['place', 'id'])) as Row[];
  return rows.map(fieldOf);
}

export async function byId(db: Knex, realmId: RealmId, id: number): Promise<ProfileField | undefined> {
  const row = (await db('chat_profile_fields').where({ realm_id: realmId, id }).first()) as Row | undefined;
  return row && fieldOf(row);
}

/** Appends the field to the list. */
export async function insert(db: Knex, realmId: RealmId, field: FieldDraft): Promise<number> {
  const [last] = (await db('chat_profile_fields').where({ realm_id: realmId }).max({ place: 'place' })) as [
    { place: number | null },
  ];
  const [id] = await db('chat_profile_fields').insert({
    realm_id: realmId,
    name: field.name,
    hint: field.hint,
    type: field.type,
    field_data: field.field_data,
    place: (last.place ?? 0) + 1,
  });
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

const ofWire = ({ value, rendered }: { value: string; rendered: string | null }): ProfileValue =>
  rendered === null ? { value } : { value, rendered_value: rendered };

/** The answers of an organisation's users. */
export async function answers(db: Knex, realmId: RealmId): Promise<Map<UserId, ProfileData>> {
  const rows = (await db('chat_profile_values')
    .join('chat_profile_fields', 'chat_profile_fields.id', 'chat_profile_values.field_id')
    .where('chat_profile_fields.realm_id', realmId)
    .select('user_id', 'field_id', 'value', 'rendered')) as {
    user_id: UserId;
    field_id: number;
    value: string;
    rendered: string | null;
  }[];
  const people = new Map<UserId, Record<string, ProfileValue>>();
  for (const row of rows) {
    const own = people.get(row.user_id) ?? {};
    own[row.field_id] = ofWire(row);
    people.set(row.user_id, own);
  }
  return people;
}

interface AnswerRow {
  readonly field_id: number;
  readonly value: string;
  readonly rendered: string | null;
}

/** The answers of one user. */
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
  await db('chat_profile_values')
    .insert({ user_id: userId, field_id: fieldId, value, rendered })
    .onConflict()
    .merge({ value, rendered });
}

export async function removeAnswer(db: Knex, userId: UserId, fieldId: number): Promise<void> {
  await db('chat_profile_values').where({ user_id: userId, field_id: fieldId }).delete();
}

const LAST_BY = 'SELECT id FROM chat_messages WHERE realm_id = ? AND sender_id = ? ORDER BY id DESC LIMIT 1';

interface OwnProfile {
  readonly answers: ProfileData;
  /** Their last message; −1 if there is none. */
  readonly lastMessage: number;
}

/** A user's own profile besides their row, in one round trip: apps request it on every start. */
export async function ownProfile(db: Knex, { id, realmId }: User): Promise<OwnProfile> {
  const replies = await send(db, `${ANSWERS}; ${LAST_BY}`, [id, realmId, id]);
  const [rows, [last]] = replies as [AnswerRow[], [{ id: number }?]];
  return { answers: answersIn(rows), lastMessage: last?.id ?? -1 };
}
