/** Rows of tel_entry_links: one-time sign-in links. */
import type { Knex } from 'knex';
import { fromNow } from '../../../kernel/mysql/sql-parts';
import type { ContactId } from '../../model/contacts/contact';
import { firstOf } from '../reads';

const MAX_FORGOTTEN = 1000;

export async function insert(
  db: Knex,
  link: { readonly contactId: ContactId; readonly tokenHash: string; readonly lastsMs: number },
): Promise<void> {
  await db('tel_entry_links').insert({
    contact_id: link.contactId,
    token_hash: link.tokenHash,
    ends_at: fromNow(db, link.lastsMs),
  });
}

/** The contact of an unexpired link. */
export const contactOf = (db: Knex, tokenHash: string): Promise<ContactId | undefined> =>
  firstOf(
    db('tel_entry_links').where({ token_hash: tokenHash }).where('ends_at', '>', db.raw('NOW(3)')),
    (row: { contact_id: ContactId }) => row.contact_id,
  );

/** Consumes the link. Returns whether it existed, so only one of two concurrent uses succeeds. */
export async function use(db: Knex, tokenHash: string): Promise<boolean> {
  return (await db('tel_entry_links').where({ token_hash: tokenHash }).delete()) > 0;
}

/** Deletes expired links. Runs whenever a link is created, so the table stays small. */
export async function forgetExpired(db: Knex): Promise<void> {
  await db('tel_entry_links').where('ends_at', '<', db.raw('NOW(3)')).limit(MAX_FORGOTTEN).delete();
}
