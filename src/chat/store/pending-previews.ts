/** Rows of chat_pending_previews: messages whose linked pages are still to be shown. New messages bring their own. */
import type { Knex } from 'knex';
import { ago } from '../../kernel/mysql/ago';
import type { RealmId } from '../model/realm';

export interface PendingPreview {
  readonly realmId: RealmId;
  readonly messageId: number;
}

const keyOf = ({ realmId, messageId }: PendingPreview) => ({ realm_id: realmId, message_id: messageId });

export async function add(db: Knex, pending: PendingPreview): Promise<void> {
  const row = { ...keyOf(pending), created_at: db.raw('NOW(3)') };
  await db('chat_pending_previews').insert(row).onConflict().merge(['created_at']);
}

export async function isPending(db: Knex, pending: PendingPreview): Promise<boolean> {
  return (await db('chat_pending_previews').where(keyOf(pending)).first('message_id')) !== undefined;
}

export async function remove(db: Knex, pending: PendingPreview): Promise<void> {
  await db('chat_pending_previews').where(keyOf(pending)).delete();
}

const MOST = 500;

export async function olderThan(db: Knex, milliseconds: number): Promise<PendingPreview[]> {
  return (await db('chat_pending_previews')
    .where('created_at', '<', ago(db, milliseconds))
    .orderBy('created_at')
    .limit(MOST)
    .select({ realmId: 'realm_id', messageId: 'message_id' })) as PendingPreview[];
}

export async function forgetOld(db: Knex, keepMs: number): Promise<number> {
  return db('chat_pending_previews').where('created_at', '<', ago(db, keepMs)).limit(MOST).delete();
}
