/** The public content of an organisation, page by page: messages of public streams, and the files they link to. */
import type { Knex } from 'knex';
import type { Message } from '../../model/messages/message';
import type { RealmId } from '../../model/organisation/realm';
import { messageOf, type MessageRow } from '../messages/messages';
import type { Upload } from '../uploads/uploads';

/** Messages in a range of ids. The same statement checks the stream, so one closed meanwhile yields nothing. */
export async function messages(db: Knex, realmId: RealmId, from: number, to: number): Promise<Message[]> {
  const rows = (await db('chat_messages as m')
    .join('chat_streams as s', 's.id', 'm.recipient_id')
    .where({ 'm.realm_id': realmId, 's.is_active': true, 's.is_private': false })
    .whereBetween('m.id', [from, to])
    .orderBy('m.id')
    .select('m.*')) as MessageRow[];
  return rows.map(messageOf);
}

export type LinkedFile = Pick<Upload, 'id' | 'ownerId' | 'token' | 'name' | 'type' | 'size' | 'createdAt'>;

/** Files after an id, ordered by id. */
export async function files(db: Knex, realmId: RealmId, after: number, most: number): Promise<LinkedFile[]> {
  const isPublic = db('chat_upload_links as l')
    .join('chat_messages as m', (on) => void on.on('m.realm_id', 'l.realm_id').andOn('m.id', 'l.message_id'))
    .join('chat_streams as s', 's.id', 'm.recipient_id')
    .whereRaw('l.upload_id = u.id')
    .where({ 's.is_active': true, 's.is_private': false })
    .select(db.raw('1'));
  return (await db('chat_uploads as u')
    .where('u.realm_id', realmId)
    .where('u.id', '>', after)
    .whereExists(isPublic)
    .orderBy('u.id')
    .limit(most)
    .select('u.id', 'u.token', 'u.name', 'u.type', 'u.size', {
      ownerId: 'u.owner_id',
      createdAt: 'u.created_at',
    })) as LinkedFile[];
}

/** Total bytes of all files uploaded to an organisation. */
export async function fileBytes(db: Knex, realmId: RealmId): Promise<number> {
  const [row] = (await db('chat_uploads').where({ realm_id: realmId }).sum({ bytes: 'size' })) as [
    { bytes: string | number | null },
  ];
  return Number(row.bytes ?? 0);
}
