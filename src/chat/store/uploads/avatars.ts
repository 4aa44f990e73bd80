/** Rows of chat_avatars: uploaded avatars of users and bots, in two sizes. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';

export interface Avatar {
  readonly userId: UserId;
  readonly realmId: RealmId;
  readonly key: string;
  readonly small: Buffer;
  readonly medium: Buffer;
}

export async function put(db: Knex, { userId, realmId, key, small, medium }: Avatar): Promise<void> {
  const row = { user_id: userId, realm_id: realmId, avatar_key: key, small, medium };
  await db('chat_avatars').insert(row).onConflict().merge(row);
}

export async function remove(db: Knex, userId: UserId): Promise<void> {
  await db('chat_avatars').where({ user_id: userId }).delete();
}

export async function picture(
  db: Knex,
  realmId: RealmId,
  { key, isMedium }: { readonly key: string; readonly isMedium: boolean },
): Promise<Buffer | undefined> {
  const row = (await db('chat_avatars')
    .where({ realm_id: realmId, avatar_key: key })
    .first({ bytes: isMedium ? 'medium' : 'small' })) as { bytes: Buffer } | undefined;
  return row?.bytes;
}
