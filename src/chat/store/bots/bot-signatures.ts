/** Rows of chat_bot_signatures. */
import type { Knex } from 'knex';
import type { Secrets } from '../../../kernel/secrets/secrets';
import type { UserId } from '../../model/users/user';
import { put, readColumn, readOne } from '../rows';

export interface BotSignature {
  readonly scheme: string;
  readonly secret: string;
}

const of = (db: Knex, botId: UserId) => db('chat_bot_signatures').where({ user_id: botId });

export async function find(db: Knex, secrets: Secrets, botId: UserId): Promise<BotSignature | null> {
  const signatureOf = (row: { readonly scheme: string; readonly secret_sealed: string }): BotSignature => ({
    scheme: row.scheme,
    secret: secrets.decrypt(row.secret_sealed),
  });
  return (await readOne(of(db, botId).first(), signatureOf)) ?? null;
}

export const schemeOf = async (db: Knex, botId: UserId): Promise<string | null> =>
  (await readColumn<string>(of(db, botId), 'scheme')) ?? null;

export async function set(db: Knex, secrets: Secrets, botId: UserId, signature: BotSignature): Promise<void> {
  const columns = { scheme: signature.scheme, secret_sealed: secrets.encrypt(signature.secret) };
  await put(db('chat_bot_signatures'), { user_id: botId }, columns);
}

export async function remove(db: Knex, botId: UserId): Promise<void> {
  await of(db, botId).delete();
}
