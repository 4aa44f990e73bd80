/** Rows of chat_realm_emoji: an organisation's custom emoji. */
import type { Knex } from 'knex';
import { readOf, runRead, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';

export interface RealmEmoji {
  readonly id: number;
  readonly name: string;
  readonly isActive: boolean;
  readonly extension: string;
  readonly author: { readonly id: UserId; readonly email: string; readonly full_name: string };
}

interface Row extends Omit<RealmEmoji['author'], 'id'>, Pick<RealmEmoji, 'id' | 'name' | 'extension'> {
  readonly active_name: string | null;
  readonly author_id: UserId;
}

/** Includes retired ones, which old messages still show. */
export const listRead = (realmId: RealmId): Read<RealmEmoji[]> =>
  readOf(
    'SELECT e.id, e.name, e.active_name, e.extension, e.author_id, u.email, u.full_name FROM chat_realm_emoji e ' +
      'JOIN chat_users u ON u.id = e.author_id WHERE e.realm_id = ? ORDER BY e.id',
    [realmId],
    (rows: readonly Row[]) => rows.map(emojiOf),
  );

export const list = (db: Knex, realmId: RealmId): Promise<RealmEmoji[]> => runRead(db, listRead(realmId));

function emojiOf({ id, name, active_name: activeName, extension, author_id: authorId, ...author }: Row): RealmEmoji {
  return { id, name, isActive: activeName !== null, extension, author: { id: authorId, ...author } };
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

type Picture = Pick<NewEmoji, 'bytes' | 'extension'>;

export async function picture(db: Knex, realmId: number, id: number): Promise<Picture | undefined> {
  return db('chat_realm_emoji').where({ realm_id: realmId, id }).first('bytes', 'extension');
}
