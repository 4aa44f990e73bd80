/** Rows of chat_subscriptions: who hears a stream, or takes part in a private conversation, since when and read how far. */
import type { Knex } from 'knex';
import type { UserId } from '../model/user';

/** Ids of those who hear it now, in order. */
export async function hearers(db: Knex, recipientId: number): Promise<UserId[]> {
  return (await db('chat_subscriptions')
    .where({ recipient_id: recipientId, is_active: true })
    .orderBy('user_id')
    .pluck('user_id')) as UserId[];
}

export interface NewSubscription {
  readonly recipientId: number;
  readonly userId: UserId;
  /** The first message that will be received. */
  readonly fromId: number;
  readonly color: string;
}

export async function insert(db: Knex, subscriptions: readonly NewSubscription[]): Promise<void> {
  if (subscriptions.length === 0) return;
  await db('chat_subscriptions').insert(
    subscriptions.map(({ recipientId, userId, fromId, color }) => ({
      recipient_id: recipientId,
      user_id: userId,
      from_id: fromId,
      color,
      created_at: db.raw('NOW(3)'),
    })),
  );
}
