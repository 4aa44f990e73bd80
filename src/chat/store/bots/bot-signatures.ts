/** Rows of chat_bot_signatures. */
import type { Knex } from 'knex';
import { readOf, type Read } from '../../../kernel/mysql/read-packet';
import type { Secrets } from '../../../kernel/secrets/secrets';
import type { UserId } from '../../model/users/user';
import { put, readColumn } from '../rows';

export interface BotSignature {
  readonly scheme: string;
  readonly secret: string;
}

const of = (db: Knex, botId: UserId) => db('chat_bot_signatures').where({ user_id: botId });

export const signatureRead = (secrets: Secrets, botId: UserId): Read<BotSignature | null> =>
  readOf(
    'SELECT scheme, secret_sealed FROM chat_bot_signatures WHERE user_id = ?',
    [botId],
    ([row]: readonly { readonly scheme: string; readonly secret_sealed: string }[]) =>
      row ? { scheme: row.scheme, secret: secrets.decrypt(row.secret_sealed) } : null,
  );

export const schemeOf = async (db: Knex, botId: UserId): Promise<string | null> =>
  (await readColumn<string>(of(db, botId), 'scheme')) ?? null;

export async function set(db: Knex, secrets: Secrets, botId: UserId, signature: BotSignature): Promise<void> {
  const columns = { scheme: signature.scheme, secret_sealed: secrets.encrypt(signature.secret) };
  await put(db('chat_bot_signatures'), { user_id: botId }, columns);
}

export async function remove(db: Knex, botId: UserId): Promise<void> {
  await of(db, botId).delete();
}
