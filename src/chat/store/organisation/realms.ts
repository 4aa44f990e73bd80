/** Rows of chat_realms. */
import type { Knex } from 'knex';
import { readOf, runRead, type Read } from '../../../kernel/mysql/read-packet';
import { countRows } from '../../../kernel/mysql/sql-parts';
import type { Tenant } from '../../../kernel/actor/address';
import { realmTenant, type Realm, type RealmId } from '../../model/organisation/realm';
import { readPictures, type RealmPictures } from '../../model/uploads/realm-picture';
import { readSettings, storedSettings } from '../../model/organisation/realm-settings';
import type { UserId } from '../../model/users/user';
import { readAll, readColumn, readOne } from '../rows';
import { LOOK_NOW } from './retention';

interface Row {
  id: number;
  subdomain: string;
  name: string;
  description: string;
  is_active: number;
  settings: string;
  pictures: string;
  full_members_until: Date | null;
}

function realmOf(row: Row): Realm {
  const { id, subdomain, name, description, full_members_until: fullMembersUntil } = row;
  const settings = readSettings(row.settings);
  const pictures = readPictures(row.pictures);
  const isActive = row.is_active === 1;
  return { id: id as RealmId, subdomain, name, description, isActive, settings, pictures, fullMembersUntil };
}

export const bySubdomain = (db: Knex, subdomain: string): Promise<Realm | undefined> =>
  readOne(db('chat_realms').where({ subdomain }).first(), realmOf);

export const byIdRead = (id: RealmId): Read<Realm | undefined> =>
  readOf(
    'SELECT id, subdomain, name, description, is_active, settings, pictures, full_members_until FROM chat_realms WHERE id = ?',
    [id],
    ([row]: readonly Row[]) => row && realmOf(row),
  );

export const byId = (db: Knex, id: RealmId): Promise<Realm | undefined> => runRead(db, byIdRead(id));

/** Locks an organisation for a change of its settings. */
export const lock = (db: Knex, id: RealmId): Promise<Realm | undefined> =>
  readOne(db('chat_realms').where({ id }).forUpdate().first(), realmOf);

export async function update(db: Knex, { id, name, description, settings }: Realm): Promise<void> {
  await db('chat_realms')
    .where({ id })
    .update({ name, description, settings: storedSettings(settings), ...LOOK_NOW });
}

export async function setPictures(db: Knex, id: RealmId, pictures: RealmPictures): Promise<void> {
  await db('chat_realms')
    .where({ id })
    .update({ pictures: JSON.stringify(pictures) });
}

export async function setActive(db: Knex, id: RealmId, isActive: boolean): Promise<void> {
  await db('chat_realms')
    .where({ id })
    .update({ is_active: isActive, ...LOOK_NOW });
}

export async function insert(db: Knex, realm: Pick<Realm, 'subdomain' | 'name' | 'description'>): Promise<RealmId> {
  const [id] = await db('chat_realms').insert({ ...realm, settings: '{}', created_at: db.raw('NOW(3)') });
  return id as RealmId;
}

/** All subdomains, locked so that none is added or changed meanwhile. */
export async function lockSubdomains(db: Knex): Promise<string[]> {
  return (await db('chat_realms').orderBy('id').forUpdate().pluck('subdomain')) as string[];
}

export async function setSubdomain(db: Knex, id: RealmId, subdomain: string): Promise<void> {
  await db('chat_realms').where({ id }).update({ subdomain });
}

export const list = (db: Knex): Promise<Realm[]> => readAll(db('chat_realms').orderBy('id'), realmOf);

export const count = (db: Knex): Promise<number> => countRows(db('chat_realms'));

/** The account that sends the server's own messages, if it exists yet. */
export const notificationBot = async (db: Knex, id: RealmId): Promise<UserId | undefined> =>
  (await readColumn<UserId | null>(db('chat_realms').where({ id }), 'notification_bot_id')) ?? undefined;

export async function setNotificationBot(db: Knex, id: RealmId, botId: UserId): Promise<void> {
  await db('chat_realms').where({ id }).update({ notification_bot_id: botId });
}

export async function tenants(db: Knex): Promise<Tenant[]> {
  return ((await db('chat_realms').pluck('id')) as RealmId[]).map(realmTenant);
}
