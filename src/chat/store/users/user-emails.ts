/** Finds rows of chat_users that may have an email address. The caller compares the addresses themselves. */
import type { Knex } from 'knex';
import { emailKey, exactEmail } from '../../../kernel/secrets/email-key';
import type { Statement } from '../../../kernel/mysql/commit-statements';

/** Matches these addresses and what looks like them. */
export const looksLike =
  (emails: readonly string[]) =>
  (query: Knex.QueryBuilder): void =>
    void query.whereIn('chat_users.email_key', emails.map(emailKey));

/** The same condition for hand-written SQL. */
export const looksLikeSql = (emails: readonly string[]): Statement => ({
  sql: 'chat_users.email_key IN (?)',
  bindings: [emails.map(emailKey)],
});

/** Keeps the rows with exactly these addresses. */
export function exactly<Found extends { readonly email: string }>(
  rows: readonly Found[],
  emails: readonly string[],
): Found[] {
  const wanted = new Set(emails.map(exactEmail));
  return rows.filter(({ email }) => wanted.has(exactEmail(email)));
}
