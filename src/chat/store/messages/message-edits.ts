/** Changes to rows of chat_messages, and who gets the events about them. */
import type { Knex } from 'knex';
import type { Message } from '../../model/messages/message';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { noteChanges } from '../reading/search-index';
import { readOne } from '../rows';
import { removeLinks } from '../uploads/uploads';
import { messageOf } from './messages';
import * as submessages from './submessages';

/** Locks a message for a change. Concurrent changes wait for the commit. */
export const lock = (db: Knex, realmId: RealmId, id: number): Promise<Message | undefined> =>
  readOne(db('chat_messages').where({ realm_id: realmId, id }).forUpdate().first(), messageOf);

/**
 * Everyone who received a message: current subscribers who were subscribed then, and those who have left since. One
 * statement, so that a user who is just leaving is not missed. The result never changes afterwards.
 */
export async function receivers(db: Knex, { recipientId, id }: Pick<Message, 'recipientId' | 'id'>): Promise<UserId[]> {
  const [rows] = (await db.raw(
    'SELECT user_id FROM chat_subscriptions WHERE recipient_id = ? AND is_active AND from_id <= ? ' +
      'UNION SELECT s.user_id FROM chat_subscriptions s JOIN chat_receptions r ' +
      'ON r.user_id = s.user_id AND r.recipient_id = s.recipient_id ' +
      'WHERE s.recipient_id = ? AND r.from_id <= ? AND r.to_id >= ? ORDER BY user_id',
    [recipientId, id, recipientId, id, id],
  )) as [{ user_id: UserId }[]];
  return rows.map(({ user_id: userId }) => userId);
}

const MAX_AT_ONCE = 1000;

export async function update(db: Knex, message: Message): Promise<void> {
  const { realmId, id, content, rendered, traits, topic, topicId, editedAt, edits } = message;
  await db('chat_messages')
    .where({ realm_id: realmId, id })
    .update({ content, rendered, traits, topic, topic_id: topicId, edited_at: editedAt, edits: JSON.stringify(edits) });
  await noteChanges(db, realmId, [id]);
}

export async function setSubmessageBytes(db: Knex, { realmId, id }: Message, bytes: number): Promise<void> {
  await db('chat_messages').where({ realm_id: realmId, id }).update({ submessage_bytes: bytes });
}

/** Deletes messages with all dependent rows, found through users: ids are unique only within an organisation. */
export async function remove(
  db: Knex,
  { realmId, ids }: { readonly realmId: RealmId; readonly ids: readonly number[] },
  received: readonly UserId[],
): Promise<void> {
  await db('chat_messages').where({ realm_id: realmId }).whereIn('id', ids).delete();
  await db('chat_reactions').where({ realm_id: realmId }).whereIn('message_id', ids).delete();
  await submessages.removeOf(db, realmId, ids);
  await removeLinks(db, realmId, ids);
  const flagged = (await db('chat_flags')
    .join('chat_users', 'chat_users.id', 'chat_flags.user_id')
    .whereIn('message_id', ids)
    .where({ realm_id: realmId })
    .distinct('user_id')
    .pluck('user_id')) as UserId[];
  if (flagged.length > 0) await db('chat_flags').whereIn('user_id', flagged).whereIn('message_id', ids).delete();
  for (let start = 0; start < received.length; start += MAX_AT_ONCE) {
    const some = received.slice(start, start + MAX_AT_ONCE);
    await db('chat_read_exceptions').whereIn('user_id', some).whereIn('message_id', ids).delete();
  }
  await noteChanges(db, realmId, ids);
}
