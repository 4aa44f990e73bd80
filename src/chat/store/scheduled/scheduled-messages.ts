/** Rows of chat_scheduled_messages: messages to be sent at a time, and reminders, which are told apart by `message_id`. */
import type { Knex } from 'knex';
import { mapRead, readOf, runRead, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';
import type { ScheduledFields, ScheduledMessage } from '../../model/scheduled/scheduled-message';
import type { User, UserId } from '../../model/users/user';
import { readOne } from '../rows';

interface Row {
  readonly id: number;
  readonly realm_id: RealmId;
  readonly user_id: UserId;
  readonly message_id: number | string | null;
  readonly note: string | null;
  readonly type: ScheduledFields['type'];
  readonly recipients: string;
  readonly topic: string;
  readonly content: string;
  readonly rendered: string;
  readonly client: string;
  readonly is_read_by_sender: number;
  readonly due_at: number;
  readonly revision: number;
  readonly error: string | null;
}

const TABLE = 'chat_scheduled_messages';

const scheduledOf = (row: Row): ScheduledMessage => ({
  id: row.id,
  realmId: row.realm_id,
  userId: row.user_id,
  type: row.type,
  to: JSON.parse(row.recipients) as number[],
  topic: row.topic,
  content: row.content,
  rendered: row.rendered,
  client: row.client,
  isReadBySender: row.is_read_by_sender === 1,
  dueAt: row.due_at,
  reminder: row.message_id === null ? null : { messageId: Number(row.message_id), note: row.note ?? '' },
  revision: row.revision,
  error: row.error,
});

const given = <Value>(column: string, value: Value | undefined): object =>
  value === undefined ? {} : { [column]: value };

const columnsOf = (fields: Partial<ScheduledFields>): object => ({
  ...given('type', fields.type),
  ...given('recipients', fields.to && JSON.stringify(fields.to)),
  ...given('topic', fields.topic),
  ...given('content', fields.content),
  ...given('rendered', fields.rendered),
  ...given('client', fields.client),
  ...given('is_read_by_sender', fields.isReadBySender),
  ...given('due_at', fields.dueAt),
  ...given('note', fields.reminder?.note),
});

/** The soonest first. */
const allRead = (userId: UserId): Read<ScheduledMessage[]> =>
  readOf(`SELECT * FROM ${TABLE} WHERE user_id = ? ORDER BY due_at, id`, [userId], (rows: readonly Row[]) =>
    rows.map(scheduledOf),
  );

export const messagesRead = (userId: UserId): Read<ScheduledMessage[]> =>
  mapRead(allRead(userId), (all) => all.filter(({ reminder }) => reminder === null));

export const remindersRead = (userId: UserId): Read<ScheduledMessage[]> =>
  mapRead(allRead(userId), (all) => all.filter(({ reminder }) => reminder !== null));

export const messages = (db: Knex, userId: UserId): Promise<ScheduledMessage[]> => runRead(db, messagesRead(userId));
export const reminders = (db: Knex, userId: UserId): Promise<ScheduledMessage[]> => runRead(db, remindersRead(userId));

const isReminder = (rows: Knex.QueryBuilder, is: boolean): Knex.QueryBuilder =>
  is ? rows.whereNotNull('message_id') : rows.whereNull('message_id');

/** How many there are of this kind, and the bytes of their texts. */
export async function sizeOf(
  db: Knex,
  userId: UserId,
  ofReminders: boolean,
): Promise<{ count: number; bytes: number }> {
  const rows = isReminder(db(TABLE).where({ user_id: userId }), ofReminders);
  const found = await readOne(
    rows.first(db.raw('COUNT(*) AS count'), db.raw('COALESCE(SUM(LENGTH(content)), 0) AS bytes')),
    (row: { count: number | string; bytes: number | string }) => row,
  );
  return { count: Number(found?.count ?? 0), bytes: Number(found?.bytes ?? 0) };
}

export const byId = (db: Knex, id: number): Promise<ScheduledMessage | undefined> =>
  readOne(db(TABLE).where({ id }).first(), scheduledOf);

/** One of this person. */
export const ofUser = (
  db: Knex,
  userId: UserId,
  id: number,
  ofReminders: boolean,
): Promise<ScheduledMessage | undefined> =>
  readOne(isReminder(db(TABLE).where({ id, user_id: userId }), ofReminders).first(), scheduledOf);

/** The same, locked. */
export const lock = (
  db: Knex,
  userId: UserId,
  id: number,
  ofReminders: boolean,
): Promise<ScheduledMessage | undefined> =>
  readOne(
    isReminder(db(TABLE).where({ id, user_id: userId }), ofReminders)
      .forUpdate()
      .first(),
    scheduledOf,
  );

/** What an earlier request of this name has scheduled, if it still waits. */
export const idOfRequest = async (db: Knex, userId: UserId, request: string | undefined): Promise<number | undefined> =>
  request === undefined
    ? undefined
    : readOne(db(TABLE).where({ user_id: userId, request_hash: request }).first('id'), ({ id }: Row) => id);

export async function insert(
  db: Knex,
  { id, realmId }: User,
  { request, ...fields }: ScheduledFields & { readonly request: string | undefined },
): Promise<ScheduledMessage> {
  const { reminder } = fields;
  const [scheduledId] = await db(TABLE).insert({
    realm_id: realmId,
    user_id: id,
    message_id: reminder?.messageId ?? null,
    request_hash: request ?? null,
    ...columnsOf(fields),
  });
  return { ...fields, id: scheduledId!, realmId, userId: id, revision: 1, error: null };
}

/** It waits again, as another revision. The caller has locked it. */
export async function change(
  db: Knex,
  locked: ScheduledMessage,
  fields: Partial<ScheduledFields>,
): Promise<ScheduledMessage> {
  const anew = { revision: locked.revision + 1, error: null };
  await db(TABLE)
    .where({ id: locked.id })
    .update({ ...columnsOf(fields), ...anew });
  return { ...locked, ...fields, ...anew };
}

/** Returns whether it existed. */
export async function removeOwn(db: Knex, userId: UserId, id: number, ofReminders: boolean): Promise<boolean> {
  const rows = isReminder(db(TABLE).where({ id, user_id: userId }), ofReminders);
  return ((await rows.delete()) as unknown as number) > 0;
}

type Revised = Pick<ScheduledMessage, 'id' | 'revision'>;

/** Returns whether it was still there as this revision. */
export const removeSent = async (db: Knex, { id, revision }: Revised): Promise<boolean> =>
  (await db(TABLE).where({ id, revision }).delete()) > 0;

/** The same. */
export const setError = async (db: Knex, { id, revision }: Revised, error: string): Promise<boolean> =>
  (await db(TABLE).where({ id, revision }).update({ error })) > 0;
