/** Rows of chat_topics. Topic names are case-insensitive. */
import type { Knex } from 'knex';

export async function idOf(db: Knex, recipientId: number, name: string): Promise<number | undefined> {
  const row = (await db('chat_topics')
    .where({ recipient_id: recipientId })
    .whereRaw('name_key = LOWER(?)', [name])
    .first('id')) as { id: number } | undefined;
  return row?.id;
}

/** Finds or creates the topic. One without messages is harmless, because nobody sees it. */
export async function ensure(db: Knex, recipientId: number, name: string): Promise<number> {
  const known = await idOf(db, recipientId, name);
  if (known !== undefined) return known;
  await db('chat_topics').insert({ recipient_id: recipientId, name }).onConflict().ignore();
  return (await idOf(db, recipientId, name))!;
}
