/** Rows of chat_streams. A stream and its recipient share one id. */
import type { Knex } from 'knex';
import { readOf, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';
import { POST_POLICY, type PostPolicy, type Stream, type StreamId } from '../../model/streams/stream';
import type { FolderId } from '../../model/streams/stream-folder';
import type { UserId } from '../../model/users/user';
import { readAll, readOne } from '../rows';
import { endOf, livelyOf } from './stream-history';

export interface Row {
  id: number;
  realm_id: number;
  name: string;
  description: string;
  rendered_description: string;
  is_private: number;
  is_announcement_only: number;
  post_policy: PostPolicy;
  creator_id: UserId | null;
  is_history_public: number;
  is_default: number;
  is_active: number;
  is_archived: number;
  folder_id: FolderId | null;
  version: number;
  created_at: Date;
}

export function streamOf(row: Row): Stream {
  return {
    id: row.id as StreamId,
    realmId: row.realm_id as RealmId,
    name: row.name,
    description: row.description,
    renderedDescription: row.rendered_description,
    isPrivate: row.is_private === 1,
    isAnnouncementOnly: row.is_announcement_only === 1,
    postPolicy: policyOf(row),
    creatorId: row.creator_id,
    isHistoryPublic: row.is_history_public === 1,
    isDefault: row.is_default === 1,
    isActive: row.is_active === 1,
    isArchived: row.is_archived === 1,
    folderId: row.folder_id,
    version: row.version,
    createdAt: row.created_at,
  };
}

/** A release that knows only streams for announcements may have changed that alone. */
function policyOf({ is_announcement_only: isForAdmins, post_policy: policy }: Row): PostPolicy {
  if (isForAdmins === 1) return POST_POLICY.admins;
  return policy === POST_POLICY.admins ? POST_POLICY.everybody : policy;
}

type Optional = 'postPolicy' | 'creatorId';
type Given = 'id' | 'isActive' | 'isArchived' | 'version' | 'createdAt';
export type NewStream = Omit<Stream, Given | Optional> & Partial<Pick<Stream, Optional>>;

/** Two inserts for any number of streams. */
export async function insertAll(db: Knex, streams: readonly NewStream[]): Promise<StreamId[]> {
  if (streams.length === 0) return [];
  const [first] = await db('chat_recipients').insert(streams.map(({ realmId }) => ({ realm_id: realmId })));
  const [[{ step }]] = (await db.raw('SELECT @@auto_increment_increment AS step')) as [[{ step: number }]];
  const ids = streams.map((_, index) => (first! + index * step) as StreamId);
  await db('chat_streams').insert(
    streams.map((stream, index) => ({
      id: ids[index],
      realm_id: stream.realmId,
      ...columnsOf(stream),
      created_at: db.raw('NOW(3)'),
    })),
  );
  return ids;
}

type Changes = Partial<Omit<Stream, 'id' | 'realmId' | 'version' | 'createdAt'>>;

/** Knex leaves out what is undefined. */
const columnsOf = (stream: Changes) => ({
  name: stream.name,
  description: stream.description,
  rendered_description: stream.renderedDescription,
  is_private: stream.isPrivate,
  is_announcement_only: stream.isAnnouncementOnly,
  post_policy: stream.postPolicy,
  creator_id: stream.creatorId,
  is_history_public: stream.isHistoryPublic,
  is_default: stream.isDefault,
  is_active: stream.isActive,
  is_archived: stream.isArchived,
  folder_id: stream.folderId,
});

/** Lock the stream first: senders check its version. */
export async function update(db: Knex, ids: readonly StreamId[], changes: Changes): Promise<void> {
  await db('chat_streams').whereIn('id', ids).update(columnsOf(changes));
}

/** Archived streams are active too. */
const active = (db: Knex, realmId: RealmId) => db('chat_streams').where({ realm_id: realmId, is_active: true });

/** Case-insensitive. */
export async function byName(db: Knex, realmId: RealmId, name: string): Promise<Stream | undefined> {
  return (await byNames(db, realmId, [name]))[0];
}

export async function byNames(db: Knex, realmId: RealmId, names: readonly string[]): Promise<Stream[]> {
  if (names.length === 0) return [];
  const keys = names.map(() => 'LOWER(?)').join(', ');
  return readAll(active(db, realmId).whereRaw(`name_key IN (${keys})`, [...names]), streamOf);
}

/** Whether there is a stream of this name to write to. */
export const isNamedRead = (realmId: RealmId, name: string): Read<boolean> =>
  readOf(
    'SELECT id FROM chat_streams WHERE realm_id = ? AND is_active AND NOT is_archived AND name_key = LOWER(?) LIMIT 1',
    [realmId, name],
    (rows) => rows.length > 0,
  );

export const byId = (db: Knex, realmId: RealmId, id: number): Promise<Stream | undefined> =>
  readOne(active(db, realmId).where({ id }).first(), streamOf);

export async function byIds(db: Knex, realmId: RealmId, ids: readonly number[]): Promise<Stream[]> {
  if (ids.length === 0) return [];
  return readAll(active(db, realmId).whereIn('id', ids).orderBy('id'), streamOf);
}

export const defaults = (db: Knex, realmId: RealmId): Promise<Stream[]> =>
  readAll(active(db, realmId).where({ is_default: true }).orderBy('id'), streamOf);

/** Whether an active user is subscribed. Not an EXISTS, which the server answers by collecting all subscribers. */
const HEARD =
  '(SELECT s.user_id FROM chat_subscriptions s JOIN chat_users u ON u.id = s.user_id ' +
  'WHERE s.recipient_id = chat_streams.id AND s.is_active AND u.is_active LIMIT 1) IS NOT NULL';

/** Streams, and what lists of them need besides. */
export interface StreamList {
  readonly streams: readonly Stream[];
  /** The first message of each stream that has any. */
  readonly first: ReadonlyMap<StreamId, number>;
  /** Streams with at least one active subscriber. */
  readonly occupied: ReadonlySet<StreamId>;
  /** Streams that are new or have had a message in the last half year. */
  readonly lively: ReadonlySet<StreamId>;
}

type ListRow = Row & { first_id: number | null; is_occupied: number; is_lively: number };

interface ListOptions {
  /** Only streams to which this user is subscribed. */
  readonly subscriberId?: UserId;
  readonly withArchived?: boolean;
}

/** The streams of an organisation. */
export function listRead(realmId: RealmId, { subscriberId, withArchived = false }: ListOptions = {}): Read<StreamList> {
  const current = withArchived ? '' : ' AND NOT is_archived';
  const own = ' AND id IN (SELECT x.recipient_id FROM chat_subscriptions x WHERE x.user_id = ? AND x.is_active)';
  return readOf(
    `SELECT chat_streams.*, ${endOf('chat_streams.id', 'ASC')} AS first_id, ${HEARD} AS is_occupied, ` +
      `${livelyOf('chat_streams')} AS is_lively ` +
      `FROM chat_streams WHERE realm_id = ? AND is_active${current}${subscriberId === undefined ? '' : own} ORDER BY id`,
    [realmId, realmId, realmId, ...(subscriberId === undefined ? [] : [subscriberId])],
    (rows: readonly ListRow[]) => {
      const first = new Map<StreamId, number>();
      for (const { id, first_id: firstId } of rows) if (firstId !== null) first.set(id as StreamId, firstId);
      const occupied = new Set(rows.filter((row) => row.is_occupied === 1).map(({ id }) => id as StreamId));
      const lively = new Set(rows.filter((row) => row.is_lively === 1).map(({ id }) => id as StreamId));
      return { streams: rows.map(streamOf), first, occupied, lively };
    },
  );
}

/** The streams among these with at least one active subscriber. */
export async function occupied(db: Knex, ids: readonly StreamId[]): Promise<Set<StreamId>> {
  if (ids.length === 0) return new Set();
  const found = (await db('chat_streams').whereIn('id', ids).whereRaw(HEARD).pluck('id')) as StreamId[];
  return new Set(found);
}

/** Locks streams for a change of their audience: senders wait for the commit. Always in the order of the ids. */
export async function lockForAudience(db: Knex, ids: readonly StreamId[]): Promise<void> {
  if (ids.length === 0) return;
  const sorted = [...ids].sort((a, b) => a - b);
  await db('chat_streams').whereIn('id', sorted).orderBy('id').forUpdate().select('id');
  await db('chat_streams').whereIn('id', sorted).increment('version', 1);
}
