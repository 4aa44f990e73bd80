/** Rows of chat_streams and of the subscriptions to them. */
import type { Knex } from 'knex';
import type { RealmId } from '../model/realm';
import type { UserId } from '../model/user';

declare const stream: unique symbol;
export type StreamId = number & { readonly [stream]: true };

export interface NewStream {
  readonly realmId: RealmId;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isAnnouncementOnly: boolean;
  readonly isDefault: boolean;
}

export async function insert(db: Knex, stream: NewStream): Promise<StreamId> {
  const [id] = await db('chat_streams').insert({
    realm_id: stream.realmId,
    name: stream.name,
    description: stream.description,
    is_private: stream.isPrivate,
    is_announcement_only: stream.isAnnouncementOnly,
    is_default: stream.isDefault,
    created_at: db.raw('NOW(3)'),
  });
  return id as StreamId;
}

export async function subscribe(db: Knex, streamId: StreamId, userIds: readonly UserId[]): Promise<void> {
  const rows = userIds.map((userId) => ({ stream_id: streamId, user_id: userId, created_at: db.raw('NOW(3)') }));
  if (rows.length > 0) await db('chat_subscriptions').insert(rows);
}
