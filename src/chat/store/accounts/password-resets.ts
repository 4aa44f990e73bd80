/** Rows of chat_password_resets. */
import type { Knex } from 'knex';
import { fromNow } from '../../../kernel/mysql/sql-parts';
import type { MailId, StoredToken } from '../../model/mail/mail';
import type { UserId } from '../../model/users/user';
import { forgetRows } from '../forget-rows';

/** Returns the nonce of a mail's reset link. A retry of the mail sends the same link while that is valid. */
export async function ensureFor(
  db: Knex,
  mailId: MailId,
  { userId, token, validMs }: { readonly userId: UserId; readonly token: StoredToken; readonly validMs: number },
): Promise<string> {
  const row = (await db('chat_password_resets')
    .where({ mail_id: mailId })
    .where('expires_at', '>', db.raw('NOW(3)'))
    .first('nonce')) as { nonce: string } | undefined;
  if (row) return row.nonce;
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

const valid = (db: Knex, tokenHash: string) =>
  db('chat_password_resets').where({ token_hash: tokenHash }).where('expires_at', '>', db.raw('NOW(3)'));

export async function userOf(db: Knex, tokenHash: string): Promise<UserId | undefined> {
  const row = (await valid(db, tokenHash).first('user_id')) as { user_id: UserId } | undefined;
  return row?.user_id;
}

/** Locks a link for use. A concurrent use waits, and then finds it gone. */
export async function lockUserOf(db: Knex, tokenHash: string): Promise<UserId | undefined> {
  const row = (await valid(db, tokenHash).forUpdate().first('user_id')) as { user_id: UserId } | undefined;
  return row?.user_id;
}

export async function removeAllOf(db: Knex, userId: UserId): Promise<void> {
  await db('chat_password_resets').where({ user_id: userId }).delete();
}

export const forgetExpired = (db: Knex): Promise<void> =>
  forgetRows(db('chat_password_resets').where('expires_at', '<', db.raw('NOW(3)')), 'mail_id');
