/** Finds messages that somebody may have to be told of by a push, up to a cursor of each organisation. */
import type { Knex } from 'knex';
import { TRAITS } from '../../model/messages/message';
import { type RealmId, realmTenant } from '../../model/organisation/realm';
import type { PushSubscriber, StreamMessage, TopicPolicyOf } from '../../model/push/push-rules';
import type { StoredSettings } from '../../model/users/user-settings';
import * as counters from '../counters';
import type { Range } from '../mail/missed-messages';
import { put } from '../rows';

/** Messages are searched by organisation; other addresses are devices. */
export const REALM = 'realm-';

/** Finds organisations with devices, and with messages that were not searched yet. */
export const findBehind = (db: Knex): Knex.QueryBuilder =>
  counters
    .behind(db, 'chat_push_cursors', 'pushed_id')
    .whereRaw('EXISTS (SELECT 1 FROM chat_push_subscriptions d WHERE d.realm_id = cursors.realm_id)')
    .select({ address: db.raw('CONCAT(?, cursors.realm_id)', [REALM]), tenant: 'counter.tenant' });

export interface PushBacklog {
  readonly head: number;
  readonly pushedId: number;
}

/** The newest message of an organisation, and up to which it was searched. */
export async function backlogOf(db: Knex, realmId: RealmId): Promise<PushBacklog> {
  const [[row]] = (await db.raw(
    'SELECT (SELECT pushed_id FROM chat_push_cursors WHERE realm_id = ?) AS pushed, ' +
      '(SELECT record_number FROM kernel_counters WHERE tenant = ?) AS head',
    [realmId, realmTenant(realmId)],
  )) as [[{ pushed: number | null; head: number | null }]];
  const head = row.head ?? 0;
  return { head, pushedId: row.pushed ?? head };
}

/** Before an organisation's first device: its messages until now concern none. */
export async function startAtHead(db: Knex, realmId: RealmId): Promise<void> {
  const { head } = await backlogOf(db, realmId);
  await put(db('chat_push_cursors'), { realm_id: realmId }, { pushed_id: head });
}

/** Returns whether the cursor was still there. */
export async function moveCursor(db: Knex, realmId: RealmId, from: number, to: number): Promise<boolean> {
  const moved = await db('chat_push_cursors').where({ realm_id: realmId, pushed_id: from }).update({ pushed_id: to });
  return moved === 1;
}

export const streamMessages = (db: Knex, { realmId, from, to, since }: Range): Promise<StreamMessage[]> =>
  db('chat_messages')
    .where({ realm_id: realmId })
    .whereBetween('id', [from, to])
    .where('sent_at', '>=', since)
    .whereNotNull('topic_id')
    .orderBy('id')
    .select('id', 'traits', {
      recipientId: 'recipient_id',
      topicId: 'topic_id',
      senderId: 'sender_id',
      sentAt: 'sent_at',
    });

type SubscriberRow = Omit<PushSubscriber, 'settings' | 'isMuted' | 'push' | 'wildcard'> & {
  readonly isMuted: number;
  readonly push: number | null;
  readonly wildcard: number | null;
  readonly settings: string;
};

/** A setting is stored only if it is not its default: nearly nobody has this one. */
const WANTS_STREAMS = '%"enable_stream_push_notifications":true%';

/** Subscribers of these streams who have a device, if some of the messages may have to be pushed to them. */
export async function subscribersOf(
  db: Knex,
  realmId: RealmId,
  messages: readonly StreamMessage[],
): Promise<PushSubscriber[]> {
  const idsOf = (some: readonly StreamMessage[]) => [...new Set(some.map(({ recipientId }) => recipientId))];
  const calling = idsOf(messages.filter(({ traits }) => (traits & TRAITS.wildcard) !== 0));
  const rows = (await db({ s: 'chat_subscriptions' })
    .join({ u: 'chat_users' }, 'u.id', 's.user_id')
    .whereIn('s.recipient_id', idsOf(messages))
    .where({ 's.is_active': true, 'u.is_active': true })
    .whereRaw('s.user_id IN (SELECT d.user_id FROM chat_push_subscriptions d WHERE d.realm_id = ?)', [realmId])
    .where(
      (either) =>
        void either
          .where('s.notify_push', true)
          .orWhere((general) => void general.whereNull('s.notify_push').where('u.settings', 'like', WANTS_STREAMS))
          .orWhereIn('s.recipient_id', calling),
    )
    .select('u.settings', {
      streamId: 's.recipient_id',
      userId: 's.user_id',
      isMuted: 's.is_muted',
      push: 's.notify_push',
      wildcard: 's.notify_wildcard',
    })) as SubscriberRow[];
  return rows.map(({ settings, isMuted, push, wildcard, ...row }) => ({
    ...row,
    isMuted: isMuted === 1,
    push: push === null ? null : push === 1,
    wildcard: wildcard === null ? null : wildcard === 1,
    settings: JSON.parse(settings) as StoredSettings,
  }));
}

/** Policies of people with devices about these topics. */
export const policiesOf = (db: Knex, realmId: RealmId, topicIds: readonly number[]): Promise<TopicPolicyOf[]> =>
  db({ t: 'chat_topics' })
    .joinRaw('JOIN chat_muted_topics m ON m.stream_id = t.recipient_id AND m.topic_key = t.name_key')
    .join({ u: 'chat_users' }, 'u.id', 'm.user_id')
    .whereIn('t.id', topicIds)
    .where('u.is_active', true)
    .whereRaw('m.user_id IN (SELECT d.user_id FROM chat_push_subscriptions d WHERE d.realm_id = ?)', [realmId])
    .select('m.policy', { userId: 'm.user_id', topicId: 't.id', settings: 'u.settings' })
    .then((rows: (Omit<TopicPolicyOf, 'settings'> & { settings: string })[]) =>
      rows.map((row) => ({ ...row, settings: JSON.parse(row.settings) as StoredSettings })),
    );
