/** The settings column of chat_users, which holds only values that differ from the defaults. */
import type { Knex } from 'knex';
import type { UserId } from '../../model/users/user';
import type { StoredSettings } from '../../model/users/user-settings';

const read = (row: { settings: string } | undefined): StoredSettings =>
  row ? (JSON.parse(row.settings) as StoredSettings) : {};

export async function ofUser(db: Knex, id: UserId): Promise<StoredSettings> {
  return read((await db('chat_users').where({ id }).first('settings')) as { settings: string } | undefined);
}

/** Locks the settings for a change, which a concurrent one would overwrite. */
export async function lock(db: Knex, id: UserId): Promise<StoredSettings> {
  return read((await db('chat_users').where({ id }).forUpdate().first('settings')) as { settings: string } | undefined);
}

export async function write(db: Knex, id: UserId, settings: StoredSettings): Promise<void> {
  await db('chat_users')
    .where({ id })
    .update({ settings: JSON.stringify(settings) });
}
