/** Rows that belong to bots, for operators, who identify a bot by its email address. */
import type { Knex } from 'knex';
import type { Row } from '../../../kernel/mailbox/mailbox';
import * as people from '../users/people';
import { looksLike } from '../users/user-emails';

/** Returns each row's bot address; its id if the bot is gone. */
export async function botEmails(db: Knex, rows: readonly Row[]): Promise<(row: Row) => string> {
  const ids = [...new Set(rows.map((row) => row['bot_id'] as number))];
  const emails = new Map((await people.anywhere(db, ids)).map(({ id, email }) => [id as number, email]));
  return (row) => emails.get(row['bot_id'] as number) ?? String(row['bot_id']);
}

/** Restricts rows to a bot by id, or to the bots of all organisations whose address is or looks like this one. */
export const rowsOfBot = (rows: Knex.QueryBuilder, bot: string): Knex.QueryBuilder =>
  /^\d{1,15}$/.test(bot)
    ? rows.where('bot_id', Number(bot))
    : rows.whereIn(
        'bot_id',
        (bots) =>
          void bots
            .from('chat_users')
            .where(looksLike([bot]))
            .select('id'),
      );
