/** Rows of chat_drafts: what people have written and not sent. */
import type { Knex } from 'knex';
import { readOf, runRead, type Read } from '../../../kernel/mysql/read-packet';
import type { DraftFields, DraftType, SavedDraft } from '../../model/drafts/saved-draft';
import type { User, UserId } from '../../model/users/user';
import { readOne } from '../rows';

interface Row {
  readonly id: number;
  readonly type: DraftType;
  readonly recipients: string;
  readonly topic: string;
  readonly content: string;
  readonly edited_at: number;
}

const draftOf = ({ id, type, recipients, topic, content, edited_at }: Row): SavedDraft => ({
  id,
  type,
  to: JSON.parse(recipients) as number[],
  topic,
  content,
  timestamp: edited_at,
});

const rowOf = ({ type, to, topic, content, timestamp }: DraftFields) => ({
  type,
  recipients: JSON.stringify(to),
  topic,
  content,
  edited_at: timestamp,
});

/** The oldest first. */
export const listRead = (userId: UserId): Read<SavedDraft[]> =>
  readOf(
    `SELECT id, type, recipients, topic, content, edited_at FROM chat_drafts WHERE user_id = ? ORDER BY edited_at, id`,
    [userId],
    (rows: readonly Row[]) => rows.map(draftOf),
  );

export const list = (db: Knex, userId: UserId): Promise<SavedDraft[]> => runRead(db, listRead(userId));

/** How many there are, and the bytes of their texts. */
export async function sizeOf(db: Knex, userId: UserId): Promise<{ count: number; bytes: number }> {
  const found = await readOne(
    db('chat_drafts')
      .where({ user_id: userId })
      .first(db.raw('COUNT(*) AS count'), db.raw('COALESCE(SUM(LENGTH(content)), 0) AS bytes')),
    (row: { count: number | string; bytes: number | string }) => row,
  );
  return { count: Number(found?.count ?? 0), bytes: Number(found?.bytes ?? 0) };
}

export async function insert(db: Knex, { id, realmId }: User, draft: DraftFields): Promise<number> {
  const [draftId] = await db('chat_drafts').insert({ realm_id: realmId, user_id: id, ...rowOf(draft) });
  return draftId!;
}

/** Returns whether it existed. */
export async function update(db: Knex, userId: UserId, { id, ...draft }: SavedDraft): Promise<boolean> {
  const of = { id, user_id: userId };
  return (await db('chat_drafts').where(of).update(rowOf(draft))) > 0;
}

/** Returns whether it existed. */
export async function remove(db: Knex, userId: UserId, id: number): Promise<boolean> {
  return (await db('chat_drafts').where({ id, user_id: userId }).delete()) > 0;
}
