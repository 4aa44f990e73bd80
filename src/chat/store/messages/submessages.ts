/** Rows of chat_submessages. */
import type { Knex } from 'knex';
import { known, readOf, runRead, type Read } from '../../../kernel/mysql/read-packet';
import type { Message } from '../../model/messages/message';
import type { Submessage } from '../../model/messages/submessage';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { grouped } from '../rows';
import type { Budget } from './messages';

type Of = Pick<Message, 'realmId' | 'id'>;

type ByMessage = Map<number, Submessage[]>;

/** Submessages by message, in the order they were added. */
export async function byMessages(db: Knex, realmId: RealmId, ids: readonly number[]): Promise<ByMessage> {
  return ids.length === 0
    ? new Map()
    : runRead(db, partsRead('chat_submessages p WHERE p.realm_id = ? AND p.message_id IN (?)', [realmId, ids]));
}

/**
 * Of the messages whose submessages may fit the budget. They are summed outwards on either side of the anchor, as
 * `sizedRead` sums all of a message.
 */
export function fittingRead(realmId: RealmId, ids: readonly number[], { anchor, bytes }: Budget): Read<ByMessage> {
  if (ids.length === 0) return known(new Map<number, Submessage[]>());
  // Starts with the messages, of which usually none has submessages.
  const fitting =
    '(SELECT z.id, SUM(z.submessage_bytes) OVER outwards AS total, ' +
    'ROW_NUMBER() OVER outwards AS place FROM (SELECT id, submessage_bytes, SIGN(CAST(id AS SIGNED) - ?) AS side ' +
    'FROM chat_messages WHERE realm_id = ? AND id IN (?) AND submessage_bytes > 0) z ' +
    'WINDOW outwards AS (PARTITION BY z.side ORDER BY z.side * CAST(z.id AS SIGNED))) f ' +
    'STRAIGHT_JOIN chat_submessages p ON p.message_id = f.id AND (f.total <= ? OR f.place = 1)';
  return partsRead(`${fitting} WHERE p.realm_id = ?`, [anchor, realmId, ids, bytes, realmId]);
}

const partsRead = (from: string, bindings: readonly unknown[]): Read<ByMessage> =>
  readOf(
    `SELECT p.message_id AS id, p.place, p.type, p.content, p.sender_id AS senderId FROM ${from} ` +
      'ORDER BY p.message_id, p.place',
    bindings,
    (rows: readonly (Submessage & { id: number })[]) => grouped(rows.map(({ id, ...part }) => [id, part])),
  );

/** The highest position used in a message, and whether the user has added a submessage. */
export async function lastPlace(
  db: Knex,
  { realmId, id }: Of,
  senderId: UserId,
): Promise<{ place: number; hasAdded: boolean }> {
  const rows = db('chat_submessages').where({ realm_id: realmId, message_id: id });
  const [row] = (await rows.select(
    db.raw('MAX(place) AS place, MAX(sender_id = ?) AS has_added', [senderId]),
  )) as unknown as [{ place: number | null; has_added: number | null }];
  return { place: row.place ?? 0, hasAdded: row.has_added === 1 };
}

export async function insert(db: Knex, { realmId, id }: Of, part: Submessage): Promise<void> {
  const { place, senderId, type, content } = part;
  await db('chat_submessages').insert({ realm_id: realmId, message_id: id, place, sender_id: senderId, type, content });
}

export async function removeOf(db: Knex, realmId: RealmId, messageIds: readonly number[]): Promise<void> {
  await db('chat_submessages').where({ realm_id: realmId }).whereIn('message_id', messageIds).delete();
}
