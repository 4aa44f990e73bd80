/** Rows of chat_bot_signatures. */
import type { Knex } from 'knex';
import type { Secrets } from '../../../kernel/secrets/secrets';
import type { UserId } from '../../model/users/user';

export interface BotSignature {
  readonly scheme: string;
  readonly secret: string;
}

interface Row {
  readonly scheme: string;
  readonly secret_sealed: string;
}

export async function find(db: Knex, secrets: Secrets, botId: UserId): Promise<BotSignature | null> {
  const row = (await db('chat_bot_signatures').where({ user_id: botId }).first('scheme', 'secret_sealed')) as
    | Row
    | undefined;
  return row ? { scheme: row.scheme, secret: secrets.decrypt(row.secret_sealed) } : null;
}

export async function schemeOf(db: Knex, botId: UserId): Promise<string | null> {
  const row = (await db('chat_bot_signatures').where({ user_id: botId }).first('scheme')) as
    | Pick<Row, 'scheme'>
    | undefined;
  return row?.scheme ?? null;
}

export async function set(db: Knex, secrets: Secrets, botId: UserId, signature: BotSignature): Promise<void> {
  const columns = { scheme: signature.scheme, secret_sealed: secrets.encrypt(signature.secret) };
  await db('chat_bot_signatures')
    .insert({ user_id: botId, ...columns })
    .onConflict()
    .merge(columns);
}

export async function remove(db: Knex, botId: UserId): Promise<void> {
  await db('chat_bot_signatures').where({ user_id: botId }).delete();
}
