/** Rows of chat_password_resets. */
import type { Knex } from 'knex';
import { fromNow } from '../../../kernel/mysql/sql-parts';
import type { MailId, StoredToken } from '../../model/mail/mail';
import type { UserId } from '../../model/users/user';
import { forgetRows, readColumn } from '../rows';

const valid = (db: Knex) => db('chat_password_resets').where('expires_at', '>', db.raw('NOW(3)'));

/** Returns the nonce of a mail's reset link. A retry of the mail sends the same link while that is valid. */
export async function ensureFor(
  db: Knex,
  mailId: MailId,
  { userId, token, validMs }: { readonly userId: UserId; readonly token: StoredToken; readonly validMs: number },
): Promise<string> {
  const nonce = await readColumn<string>(valid(db).where({ mail_id: mailId }), 'nonce');
  if (nonce !== undefined) return nonce;
  await db('chat_password_resets')
    .insert({
      mail_id: mailId,
      user_id: userId,
      nonce: token.nonce,
      token_hash: token.tokenHash,
      expires_at: fromNow(db, validMs),
    })
    .onConflict()
    .merge();
  return token.nonce;
}

export const userOf = (db: Knex, tokenHash: string): Promise<UserId | undefined> =>
  readColumn(valid(db).where({ token_hash: tokenHash }), 'user_id');

/** Locks a link for use. A concurrent use waits, and then finds it gone. */
export const lockUserOf = (db: Knex, tokenHash: string): Promise<UserId | undefined> =>
  readColumn(valid(db).where({ token_hash: tokenHash }).forUpdate(), 'user_id');

export async function removeAllOf(db: Knex, userId: UserId): Promise<void> {
  await db('chat_password_resets').where({ user_id: userId }).delete();
}

export const forgetExpired = (db: Knex): Promise<void> =>
  forgetRows(db('chat_password_resets').where('expires_at', '<', db.raw('NOW(3)')), 'mail_id');
