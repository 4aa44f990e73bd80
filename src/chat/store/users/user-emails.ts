/** Finds rows of chat_users by email address, in any spelling. */
import type { Knex } from 'knex';
import { emailKey } from '../../../kernel/email-key';
import type { Statement } from '../../../kernel/mysql/commit-statements';

/** Matches these addresses in any spelling. A row that the previous release has just added has no key yet. */
export const withEmail =
  (emails: readonly string[]) =>
  (query: Knex.QueryBuilder): void => {
    query
      .whereIn('chat_users.email_key', emails.map(emailKey))
      .orWhere((late) => void late.whereNull('chat_users.email_key').whereIn('chat_users.email', emails));
  };

/** The same condition for hand-written SQL. */
export const emailSql = (emails: readonly string[]): Statement => ({
  sql: 'chat_users.email_key IN (?) OR (chat_users.email_key IS NULL AND chat_users.email IN (?))',
  bindings: [emails.map(emailKey), emails],
});
