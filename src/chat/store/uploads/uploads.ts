/** Rows of chat_uploads, their bytes in chunks, and chat_upload_links. The message packet writes a new message's links. */
import type { Knex } from 'knex';
import type { ByteRange } from '../../../kernel/files/byte-range';
import type { PictureFacts } from '../../../kernel/files/picture-size';
import { CHUNK_BYTES } from '../../../kernel/files/stored-file';
import { groupBy } from '../../../kernel/group';
import { searchableId } from '../../../kernel/id';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { readColumn } from '../rows';

export interface Upload {
  readonly id: number;
  readonly realmId: RealmId;
  readonly ownerId: UserId;
  readonly token: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly createdAt: Date;
}

const uploads = (db: Knex, realmId: RealmId) => db('chat_uploads').where({ realm_id: realmId });

const FIELDS = [
  'id',
  'token',
  'name',
  'type',
  'size',
  { realmId: 'realm_id', ownerId: 'owner_id', createdAt: 'created_at' },
];

export async function insert(db: Knex, upload: Omit<Upload, 'id'>): Promise<number> {
  const { realmId, ownerId, createdAt, ...columns } = upload;
  const row = { realm_id: realmId, owner_id: ownerId, created_at: createdAt, ...columns };
  const [id] = await db('chat_uploads').insert(row);
  return id!;
}

export async function insertChunk(db: Knex, uploadId: number, place: number, bytes: Buffer): Promise<void> {
  await db('chat_upload_chunks').insert({ upload_id: uploadId, place, bytes });
}

export async function byTokens(db: Knex, realmId: RealmId, tokens: readonly string[]): Promise<Upload[]> {
  return uploads(db, realmId)
    .whereIn('token', tokens.map(searchableId))
    .select(...FIELDS);
}

const WHOLE: ByteRange = { from: 0, to: Infinity };

/** Read one at a time, so that the whole file is never in memory. */
export async function* chunks(db: Knex, uploadId: number, { from, to } = WHOLE): AsyncGenerator<Buffer> {
  for (let place = Math.floor(from / CHUNK_BYTES); place * CHUNK_BYTES <= to; place += 1) {
    const chunk = db('chat_upload_chunks').where({ upload_id: uploadId, place });
    const bytes = await readColumn<Buffer>(chunk, 'bytes');
    if (!bytes) return;
    const start = place * CHUNK_BYTES;
    yield bytes.subarray(Math.max(0, from - start), Math.min(bytes.length, to - start + 1));
  }
}

export async function setFacts(db: Knex, id: number, { width, height, isAnimated }: PictureFacts): Promise<void> {
  await db('chat_uploads').where({ id }).update({ width, height, is_animated: isAnimated });
}

/** What is known of uploaded pictures, by token. */
export async function factsByTokens(
  db: Knex,
  realmId: RealmId,
  tokens: readonly string[],
): Promise<ReadonlyMap<string, PictureFacts>> {
  if (tokens.length === 0) return new Map();
  const rows = (await uploads(db, realmId)
    .whereIn('token', tokens.map(searchableId))
    .whereNotNull('width')
    .select('token', 'width', 'height', { isAnimated: 'is_animated' })) as {
    token: string;
    width: number;
    height: number;
    isAnimated: number;
  }[];
  return new Map(
    rows.map(({ token, width, height, isAnimated }) => [token, { width, height, isAnimated: isAnimated === 1 }]),
  );
}

export async function ofOwner(db: Knex, realmId: RealmId, ownerId: UserId): Promise<Upload[]> {
  return uploads(db, realmId)
    .where({ owner_id: ownerId })
    .orderBy('id')
    .select(...FIELDS);
}

/** Total bytes of the files uploaded to an organisation, or of those of one user. */
export async function spaceUsed(db: Knex, realmId: RealmId, ownerId?: UserId): Promise<number> {
  const files = uploads(db, realmId).where(ownerId === undefined ? {} : { owner_id: ownerId });
  const [row] = (await files.sum({ bytes: 'size' })) as [{ bytes: string | number | null }];
  return Number(row.bytes ?? 0);
}

/** Returns whether it existed. */
export async function remove(db: Knex, ownerId: UserId, id: number): Promise<boolean> {
  const isGone = (await db('chat_uploads').where({ owner_id: ownerId, id }).delete()) > 0;
  if (isGone) await db('chat_upload_links').where({ upload_id: id }).delete();
  return isGone;
}

/** Deletes a file that no message links to. */
export async function forget(db: Knex, realmId: RealmId, id: number): Promise<void> {
  const links = db('chat_upload_links').where({ upload_id: id }).select(db.raw('1'));
  await db('chat_uploads').where({ realm_id: realmId, id }).whereNotExists(links).delete();
}

export interface LinkingMessage {
  readonly uploadId: number;
  readonly id: number;
  readonly recipientId: number;
  readonly topicId: number | null;
  readonly sentAt: number;
}

/** Only this many messages are checked for access: a file posted more often is no secret. */
const MAX_LINKS = 1000;

/** The messages that link to files, newest first. */
export async function linksOf(db: Knex, realmId: RealmId, uploadIds: readonly number[]): Promise<LinkingMessage[]> {
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

export const linksByUpload = (links: readonly LinkingMessage[]): ReadonlyMap<number, readonly LinkingMessage[]> =>
  groupBy(links, ({ uploadId }) => uploadId);

/** Replaces a message's links after a change of content. */
export async function replaceLinks(
  db: Knex,
  { realmId, id }: { readonly realmId: RealmId; readonly id: number },
  uploadIds: readonly number[],
): Promise<void> {
  await removeLinks(db, realmId, [id]);
  if (uploadIds.length === 0) return;
  const rows = uploadIds.map((uploadId) => ({ upload_id: uploadId, realm_id: realmId, message_id: id }));
  await db('chat_upload_links').insert(rows);
}

export async function removeLinks(db: Knex, realmId: RealmId, messageIds: readonly number[]): Promise<void> {
  await db('chat_upload_links').where({ realm_id: realmId }).whereIn('message_id', messageIds).delete();
}
