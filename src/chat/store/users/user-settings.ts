/** The settings column of chat_users, which holds only values that differ from the defaults. */
import type { Knex } from 'knex';
import { readOf, runRead, type Read } from '../../../kernel/mysql/read-packet';
import type { UserId } from '../../model/users/user';
import type { StoredSettings } from '../../model/users/user-settings';

const SELECT = 'SELECT settings FROM chat_users WHERE id = ?';

const storedIn = ([user]: readonly { settings: string }[]): StoredSettings =>
  JSON.parse(user?.settings ?? '{}') as StoredSettings;

export const ofUserRead = (id: UserId): Read<StoredSettings> => readOf(SELECT, [id], storedIn);

export const ofUser = (db: Knex, id: UserId): Promise<StoredSettings> => runRead(db, ofUserRead(id));

/** Locks the settings for a change, which a concurrent one would overwrite. */
export const lock = (db: Knex, id: UserId): Promise<StoredSettings> =>
  runRead(db, readOf(`${SELECT} FOR UPDATE`, [id], storedIn));

export async function write(db: Knex, id: UserId, settings: StoredSettings): Promise<void> {
  await db('chat_users')
    .where({ id })
    .update({ settings: JSON.stringify(settings) });
}
