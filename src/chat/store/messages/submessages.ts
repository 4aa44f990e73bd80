/** Rows of chat_submessages. */
import type { Knex } from 'knex';
import type { Message } from '../../model/messages/message';
import type { Submessage } from '../../model/messages/submessage';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { grouped } from '../rows';

type Of = Pick<Message, 'realmId' | 'id'>;

/** Submessages by message, in the order they were added. */
export async function byMessages(
  db: Knex,
  realmId: RealmId,
  ids: readonly number[],
): Promise<Map<number, Submessage[]>> {
  if (ids.length === 0) return new Map();
  const rows = (await db('chat_submessages')
    .where({ realm_id: realmId })
    .whereIn('message_id', ids)
    .orderBy(['message_id', 'place'])
    .select('place', 'type', 'content', { id: 'message_id', senderId: 'sender_id' })) as (Submessage & {
    id: number;
  })[];
  return grouped(rows.map(({ id, ...part }) => [id, part]));
}

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
