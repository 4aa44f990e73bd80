/** Rows of chat_digests, and what happened in the streams of a person. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import { readSettings, type RealmSettings } from '../../model/organisation/realm-settings';
import { TOPIC_POLICY } from '../../model/streams/topic-policy';
import type { UserId } from '../../model/users/user';
import type { StoredSettings } from '../../model/users/user-settings';
import { readColumn } from '../rows';

/** Organisations that may want digests. Settings that equal the defaults are not stored, so few rows are parsed. */
export async function realmsAfter(
  db: Knex,
  id: number,
  most: number,
): Promise<{ readonly id: RealmId; readonly settings: RealmSettings }[]> {
  const rows = (await db('chat_realms')
    .where({ is_active: true })
    .where('id', '>', id)
    .where('settings', 'like', '%digest_emails_enabled%')
    .orderBy('id')
    .limit(most)
    .select('id', 'settings')) as { id: RealmId; settings: string }[];
  return rows.map((row) => ({ id: row.id, settings: readSettings(row.settings) }));
}

/** Up to which person an organisation's digests of the day were requested. */
export async function cursorOf(db: Knex, realmId: RealmId, day: string): Promise<UserId> {
  return (await readColumn<UserId>(db('chat_digests').where({ realm_id: realmId, day }), 'user_id')) ?? (0 as UserId);
}

interface Step {
  readonly day: string;
  readonly from: UserId;
  readonly to: UserId;
}

/** Returns whether the cursor was still at `from`; of an earlier day, it begins anew. */
export async function moveCursor(db: Knex, realmId: RealmId, { day, from, to }: Step): Promise<boolean> {
  const at = { realm_id: realmId };
  // One row per organisation: a second insert is ignored.
  if (from === 0) {
    await db('chat_digests')
      .insert({ ...at, day, user_id: 0 })
      .onConflict()
      .ignore();
    await db('chat_digests').where(at).where('day', '<', day).update({ day, user_id: 0 });
  }
  return (
    (await db('chat_digests')
      .where({ ...at, day, user_id: from })
      .update({ user_id: to })) === 1
  );
}

export interface Reader {
  readonly id: UserId;
  readonly email: string;
  readonly settings: StoredSettings;
}

/** People who joined before this time, in the order of their ids. */
export async function peopleAfter(
  db: Knex,
  realmId: RealmId,
  { after, joinedBefore, most }: { readonly after: UserId; readonly joinedBefore: Date; readonly most: number },
): Promise<Reader[]> {
  const rows = (await db('chat_users')
    .where({ realm_id: realmId, is_active: true })
    .whereNull('bot_type')
    .where('id', '>', after)
    .where('joined_at', '<', joinedBefore)
    .orderBy('id')
    .limit(most)
    .select('id', 'email', 'settings')) as { id: UserId; email: string; settings: string }[];
  return rows.map((row) => ({ ...row, settings: JSON.parse(row.settings) as StoredSettings }));
}

export interface Traffic {
  readonly topicId: number;
  readonly streamId: number;
  readonly newestId: number;
  readonly count: number;
}

/** The topics of the person's streams in which most people wrote from a message on; muted ones are left out. */
export async function busiestTopics(
  db: Knex,
  { realmId, userId, fromId }: { readonly realmId: RealmId; readonly userId: UserId; readonly fromId: number },
  most: number,
): Promise<Traffic[]> {
  const [rows] = (await db.raw(
    'SELECT m.topic_id AS topicId, m.recipient_id AS streamId, MAX(m.id) AS newestId, COUNT(*) AS count ' +
      'FROM chat_subscriptions s JOIN chat_streams c ON c.id = s.recipient_id AND c.is_active ' +
      'JOIN chat_messages m FORCE INDEX (chat_messages_realm_id_recipient_id_id_index) ' +
      'ON m.realm_id = c.realm_id AND m.recipient_id = c.id AND m.id >= GREATEST(?, s.from_id) ' +
      'JOIN chat_topics t ON t.id = m.topic_id ' +
      'LEFT JOIN chat_muted_topics p ON p.user_id = s.user_id AND p.stream_id = c.id AND p.topic_key = t.name_key ' +
      'LEFT JOIN chat_muted_users q ON q.user_id = s.user_id AND q.muted_id = m.sender_id ' +
      'WHERE s.user_id = ? AND s.is_active AND c.realm_id = ? AND q.user_id IS NULL ' +
      `AND IF(s.is_muted, COALESCE(p.policy, ${TOPIC_POLICY.none}) IN (${TOPIC_POLICY.unmuted}, ${TOPIC_POLICY.followed}), ` +
      `COALESCE(p.policy, ${TOPIC_POLICY.none}) <> ${TOPIC_POLICY.muted}) ` +
      'GROUP BY m.topic_id, m.recipient_id ORDER BY COUNT(DISTINCT m.sender_id) DESC, count DESC, newestId DESC LIMIT ?',
    [fromId, userId, realmId, most],
  )) as [Traffic[]];
  return rows;
}

export interface Sender {
  readonly topicId: number;
  readonly senderId: UserId;
}

/** Who wrote in these topics from a message on, those who wrote most first. */
export async function sendersIn(
  db: Knex,
  { realmId, fromId }: { readonly realmId: RealmId; readonly fromId: number },
  topicIds: readonly number[],
): Promise<Sender[]> {
  return (await db('chat_messages')
    .where({ realm_id: realmId })
    .whereIn('topic_id', topicIds)
    .where('id', '>=', fromId)
    .groupBy('topic_id', 'sender_id')
    .orderByRaw('COUNT(*) DESC, sender_id')
    .select({ topicId: 'topic_id', senderId: 'sender_id' })) as Sender[];
}
