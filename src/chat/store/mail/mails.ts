/** Rows of chat_mails, from request to mail server. `failed` rows are dead letters, `dropped` ones were not sent. */
import type { Knex } from 'knex';
import type { MailboxAdminOptions } from '../../../kernel/mailbox/mailbox-admin';
import type { MailTable } from '../../../kernel/mailbox/mailbox';
import { ago, countRows } from '../../../kernel/mysql/sql-parts';
import type { About, Mail, MailId, NewMail } from '../../model/mail/mail';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import { REALM_MAIL } from '../rows';

export const mailTable: MailTable<Mail, never> = {
  name: 'chat_mails',
  address: 'id',
  ...REALM_MAIL,
  read: (row) => ({
    id: row['id'] as MailId,
    realmId: row['realm_id'] as RealmId,
    recipient: row['recipient'] as string,
    about: JSON.parse(row['about'] as string) as About,
    createdAt: row['created_at'] as Date,
  }),
};

/** The operators' view. */
export const mailAdmin: MailboxAdminOptions = {
  name: 'mails',
  about: 'mail to users; subject is the address, kind what the mail is about',
  kind: 'kind',
  show: (_db, rows) =>
    rows.map((row) => ({
      tenant: realmTenant(row['realm_id'] as RealmId),
      subject: row['recipient'] as string,
      kind: row['kind'] as string,
      reference: null,
      payload: JSON.parse(row['about'] as string) as unknown,
      more: {},
    })),
  bySubject: (rows, recipient) => rows.where({ recipient }),
};

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

/** How many mails of a kind an organisation requested recently. */
export async function countSince(db: Knex, realmId: RealmId, kind: About['kind'], sinceMs: number): Promise<number> {
  return countRows(db('chat_mails').where({ realm_id: realmId, kind }).where('created_at', '>', ago(db, sinceMs)));
}

export interface ShownMail {
  readonly recipient: string;
  readonly shown: string;
  readonly finishedAt: Date;
}

/** Mail that a development server shows instead of sending, newest first. */
export async function listShown(db: Knex, realmId: RealmId, limit: number): Promise<ShownMail[]> {
  return (await db('chat_mails')
    .where({ realm_id: realmId })
    .whereNotNull('shown')
    .orderBy('id', 'desc')
    .limit(limit)
    .select('recipient', 'shown', { finishedAt: 'finished_at' })) as ShownMail[];
}
