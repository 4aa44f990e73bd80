/** Rows of chat_realm_pictures: an organisation's icon and logos. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { RealmPictureKind } from '../../model/uploads/realm-picture';

export async function put(db: Knex, realmId: RealmId, kind: RealmPictureKind, bytes: Buffer): Promise<void> {
  await db('chat_realm_pictures').insert({ realm_id: realmId, kind, bytes }).onConflict().merge({ bytes });
}

export async function remove(db: Knex, realmId: RealmId, kind: RealmPictureKind): Promise<void> {
  await db('chat_realm_pictures').where({ realm_id: realmId, kind }).delete();
}

export async function picture(db: Knex, realmId: RealmId, kind: RealmPictureKind): Promise<Buffer | undefined> {
  const row = (await db('chat_realm_pictures').where({ realm_id: realmId, kind }).first('bytes')) as
    | { bytes: Buffer }
    | undefined;
  return row?.bytes;
}
