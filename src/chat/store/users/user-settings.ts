/** The settings column of chat_users, which holds only values that differ from the defaults. */
import type { Knex } from 'knex';
import type { UserId } from '../../model/users/user';
import type { StoredSettings } from '../../model/users/user-settings';
import { readColumn } from '../rows';

const read = async (user: Knex.QueryBuilder): Promise<StoredSettings> =>
  JSON.parse((await readColumn<string>(user, 'settings')) ?? '{}') as StoredSettings;

export const ofUser = (db: Knex, id: UserId): Promise<StoredSettings> => read(db('chat_users').where({ id }));

/** Locks the settings for a change, which a concurrent one would overwrite. */
export const lock = (db: Knex, id: UserId): Promise<StoredSettings> => read(db('chat_users').where({ id }).forUpdate());

export async function write(db: Knex, id: UserId, settings: StoredSettings): Promise<void> {
  await db('chat_users')
    .where({ id })
    .update({ settings: JSON.stringify(settings) });
}
