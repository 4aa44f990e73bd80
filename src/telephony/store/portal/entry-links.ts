/** Rows of tel_entry_links: links that open a session once. */
import type { Knex } from 'knex';
import type { ContactId } from '../../model/contacts/contact';

const MICROSECONDS = 1000;
const MOST_FORGOTTEN = 1000;

export async function insert(
  db: Knex,
  link: { readonly contactId: ContactId; readonly tokenHash: string; readonly lastsMs: number },
): Promise<void> {
  await db('tel_entry_links').insert({
    contact_id: link.contactId,
    token_hash: link.tokenHash,
    ends_at: db.raw('NOW(3) + INTERVAL ? MICROSECOND', [link.lastsMs * MICROSECONDS]),
  });
}

/** Whose link it is, while it works. */
export async function contactOf(db: Knex, tokenHash: string): Promise<ContactId | undefined> {
  const row = (await db('tel_entry_links')
    .where({ token_hash: tokenHash })
    .where('ends_at', '>', db.raw('NOW(3)'))
    .first('contact_id')) as { contact_id: ContactId } | undefined;
  return row?.contact_id;
}

/** Says whether it was there: of two who use a link at once, one is told that it was used. */
export async function use(db: Knex, tokenHash: string): Promise<boolean> {
  return (await db('tel_entry_links').where({ token_hash: tokenHash }).delete()) > 0;
}

/** Those that no longer work; called whenever a link is made, so the table stays small. */
export async function forgetExpired(db: Knex): Promise<void> {
  await db('tel_entry_links').where('ends_at', '<', db.raw('NOW(3)')).limit(MOST_FORGOTTEN).delete();
}
