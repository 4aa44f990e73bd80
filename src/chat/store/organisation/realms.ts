/** Rows of chat_realms. */
import type { Knex } from 'knex';
import { send } from '../../../kernel/mysql/direct';
import type { Tenant } from '../../../kernel/actor/address';
import { realmTenant, type Realm, type RealmId } from '../../model/organisation/realm';
import { readPictures, type RealmPictures } from '../../model/uploads/realm-picture';
import { readSettings, storedSettings } from '../../model/organisation/realm-settings';
import type { UserId } from '../../model/users/user';
import { LOOK_NOW } from './retention';

interface Row {
  id: number;
  subdomain: string;
  name: string;
  description: string;
  is_active: number;
  settings: string;
  pictures: string;
}

function realmOf(row: Row): Realm {
  const { id, subdomain, name, description } = row;
  const settings = readSettings(row.settings);
  const pictures = readPictures(row.pictures);
  return { id: id as RealmId, subdomain, name, description, isActive: row.is_active === 1, settings, pictures };
}

export async function bySubdomain(db: Knex, subdomain: string): Promise<Realm | undefined> {
  const row = (await db('chat_realms').where({ subdomain }).first()) as Row | undefined;
  return row && realmOf(row);
}

export async function byId(db: Knex, id: RealmId): Promise<Realm | undefined> {
  const sql = 'SELECT id, subdomain, name, description, is_active, settings, pictures FROM chat_realms WHERE id = ?';
  const [row] = (await send(db, sql, [id])) as [Row?];
  return row && realmOf(row);
}

/** Locks an organisation for a change of its settings. */
export async function lock(db: Knex, id: RealmId): Promise<Realm | undefined> {
  const row = (await db('chat_realms').where({ id }).forUpdate().first()) as Row | undefined;
  return row && realmOf(row);
}

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

export async function list(db: Knex): Promise<Realm[]> {
  return ((await db('chat_realms').orderBy('id')) as Row[]).map(realmOf);
}

export async function count(db: Knex): Promise<number> {
  const [row] = (await db('chat_realms').count({ realms: '*' })) as [{ realms: number }];
  return row.realms;
}

/** The account that sends the server's own messages, if it exists yet. */
export async function notificationBot(db: Knex, id: RealmId): Promise<UserId | undefined> {
  const row = (await db('chat_realms').where({ id }).first('notification_bot_id')) as
    | { notification_bot_id: UserId | null }
    | undefined;
  return row?.notification_bot_id ?? undefined;
}

export async function setNotificationBot(db: Knex, id: RealmId, botId: UserId): Promise<void> {
  await db('chat_realms').where({ id }).update({ notification_bot_id: botId });
}

export async function tenants(db: Knex): Promise<Tenant[]> {
  return ((await db('chat_realms').pluck('id')) as RealmId[]).map(realmTenant);
}
