/** Rows of chat_upload_links. The message packet writes a new message's links. */
import type { Knex } from 'knex';
import { groupBy } from '../../../kernel/group';
import type { RealmId } from '../../model/organisation/realm';

export interface LinkingMessage {
  readonly uploadId: number;
  readonly id: number;
  readonly recipientId: number;
  readonly topicId: number | null;
  readonly sentAt: number;
}

/** Only this many messages are checked for access: a file posted more often is no secret. */
const MAX_LINKS = 1000;

/** Newest first. */
export async function of(db: Knex, realmId: RealmId, uploadIds: readonly number[]): Promise<LinkingMessage[]> {
  if (uploadIds.length === 0) return [];
  return (await db('chat_upload_links as l')
    .join('chat_messages as m', (on) => void on.on('m.realm_id', 'l.realm_id').andOn('m.id', 'l.message_id'))
    .whereIn('l.upload_id', uploadIds)
    .where('l.realm_id', realmId)
    .orderBy('l.message_id', 'desc')
    .limit(MAX_LINKS)
    .select({
      uploadId: 'l.upload_id',
      id: 'm.id',
      recipientId: 'm.recipient_id',
      topicId: 'm.topic_id',
      sentAt: 'm.sent_at',
    })) as LinkingMessage[];
}

export const byUpload = (links: readonly LinkingMessage[]): ReadonlyMap<number, readonly LinkingMessage[]> =>
  groupBy(links, ({ uploadId }) => uploadId);

/** Replaces a message's links after a change of content. */
export async function replace(
  db: Knex,
  { realmId, id }: { readonly realmId: RealmId; readonly id: number },
  uploadIds: readonly number[],
): Promise<void> {
  await removeOf(db, realmId, [id]);
  if (uploadIds.length === 0) return;
  const rows = uploadIds.map((uploadId) => ({ upload_id: uploadId, realm_id: realmId, message_id: id }));
  await db('chat_upload_links').insert(rows);
}

export async function removeOf(db: Knex, realmId: RealmId, messageIds: readonly number[]): Promise<void> {
  await db('chat_upload_links').where({ realm_id: realmId }).whereIn('message_id', messageIds).delete();
}
