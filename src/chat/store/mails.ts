/** Rows of chat_mails, from the request to the mail server. `failed` rows are dead letters, `dropped` ones were not sent. */
import type { Knex } from 'knex';
import { ago } from '../../kernel/mysql/ago';
import type { About, Mail, MailId, NewMail } from '../model/mail';
import type { RealmId } from '../model/realm';
import { forgetRows } from './forget-rows';

interface Row {
  id: MailId;
  realm_id: RealmId;
  recipient: string;
  about: string;
  attempts: number;
  created_at: Date;
}

const mailOf = (row: Row): Mail => ({
  id: row.id,
  realmId: row.realm_id,
  recipient: row.recipient,
  about: JSON.parse(row.about) as About,
  attempts: row.attempts,
  createdAt: row.created_at,
});

export async function insert(db: Knex, { realmId, recipient, about }: NewMail): Promise<MailId> {
  const [id] = await db('chat_mails').insert({
    realm_id: realmId,
    kind: about.kind,
    recipient,
    about: JSON.stringify(about),
    state: 'pending',
    due_at: db.raw('NOW(3)'),
    created_at: db.raw('NOW(3)'),
  });
  return id as MailId;
}

/** A mail that is to be sent now. */
export async function due(db: Knex, id: MailId): Promise<Mail | undefined> {
  const row = (await db('chat_mails')
    .where({ id, state: 'pending' })
    .where('due_at', '<=', db.raw('NOW(3)'))
    .first('id', 'realm_id', 'recipient', 'about', 'attempts', 'created_at')) as Row | undefined;
  return row && mailOf(row);
}

const MOST_OVERDUE = 500;

/** Mail that should have been sent a while ago. */
export async function overdue(db: Knex, byMs: number): Promise<{ realmId: RealmId; mailId: MailId }[]> {
  return db('chat_mails')
    .where({ state: 'pending' })
    .where('due_at', '<', ago(db, byMs))
    .orderBy('due_at')
    .limit(MOST_OVERDUE)
    .select({ realmId: 'realm_id', mailId: 'id' });
}

interface Ending {
  readonly state: 'done' | 'failed' | 'dropped';
  readonly error: string | null;
  /** The text, where it is to be shown. */
  readonly shown?: string | undefined;
}

export async function finish(db: Knex, id: MailId, { state, error, shown }: Ending): Promise<void> {
  const attempts = db.raw('attempts + 1');
  await db('chat_mails')
    .where({ id, state: 'pending' })
    .update({ state, error, attempts, shown: shown ?? null, finished_at: db.raw('NOW(3)') });
}

/** The next attempt comes after this time. */
export async function postpone(db: Knex, id: MailId, error: string, pauseMs: number): Promise<void> {
  await db('chat_mails')
    .where({ id, state: 'pending' })
    .update({ error, attempts: db.raw('attempts + 1'), due_at: ago(db, -pauseMs) });
}

/** How many of a kind an organisation has asked for lately. */
export async function countSince(db: Knex, realmId: RealmId, kind: About['kind'], sinceMs: number): Promise<number> {
  const [row] = (await db('chat_mails')
    .where({ realm_id: realmId, kind })
    .where('created_at', '>', ago(db, sinceMs))
    .count({ mails: '*' })) as [{ mails: number }];
  return row.mails;
}

export const forgetOld = (db: Knex, state: Ending['state'], keepMs: number): Promise<void> =>
  forgetRows(db('chat_mails').where({ state }).where('finished_at', '<', ago(db, keepMs)), 'id');

export interface ShownMail {
  readonly recipient: string;
  readonly shown: string;
  readonly finishedAt: Date;
}

/** What a development server shows instead of sending it, newest first. */
export async function listShown(db: Knex, realmId: RealmId, limit: number): Promise<ShownMail[]> {
  return (await db('chat_mails')
    .where({ realm_id: realmId })
    .whereNotNull('shown')
    .orderBy('id', 'desc')
    .limit(limit)
    .select('recipient', 'shown', { finishedAt: 'finished_at' })) as ShownMail[];
}
