/** Rows of chat_realm_emoji: an organisation's custom emoji. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';

export interface RealmEmoji {
  readonly id: number;
  readonly name: string;
  readonly isActive: boolean;
  readonly extension: string;
  readonly author: { readonly id: UserId; readonly email: string; readonly full_name: string };
}

/** Includes retired ones, which old messages still show. */
export async function list(db: Knex, realmId: RealmId): Promise<RealmEmoji[]> {
  const rows = (await db('chat_realm_emoji')
    .join('chat_users', 'chat_users.id', 'chat_realm_emoji.author_id')
    .where('chat_realm_emoji.realm_id', realmId)
    .orderBy('chat_realm_emoji.id')
    .select(
      'chat_realm_emoji.id',
      'name',
      'active_name',
      'extension',
      'author_id',
      'chat_users.email',
      'chat_users.full_name',
    )) as {
    id: number;
    name: string;
    active_name: string | null;
    extension: string;
    author_id: UserId;
    email: string;
    full_name: string;
  }[];
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    isActive: row.active_name !== null,
    extension: row.extension,
    author: { id: row.author_id, email: row.email, full_name: row.full_name },
  }));
}

export interface NewEmoji {
  readonly realmId: RealmId;
  readonly name: string;
  readonly authorId: UserId;
  readonly extension: string;
  readonly bytes: Buffer;
}

export async function insert(db: Knex, emoji: NewEmoji): Promise<number> {
  const { realmId, name, authorId, extension, bytes } = emoji;
  const row = { realm_id: realmId, name, active_name: name, author_id: authorId, extension, bytes };
  const [id] = await db('chat_realm_emoji').insert(row);
  return id!;
}

export async function deactivate(db: Knex, id: number): Promise<void> {
  await db('chat_realm_emoji').where({ id }).update({ active_name: null });
}

export async function picture(
  db: Knex,
  realmId: number,
  id: number,
): Promise<{ bytes: Buffer; extension: string } | undefined> {
  return (await db('chat_realm_emoji').where({ realm_id: realmId, id }).first('bytes', 'extension')) as
    | { bytes: Buffer; extension: string }
    | undefined;
}
