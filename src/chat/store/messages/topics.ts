/** Rows of chat_topics: a topic is one whatever the case its name is written in. */
import type { Knex } from 'knex';

export async function idOf(db: Knex, recipientId: number, name: string): Promise<number | undefined> {
  const row = (await db('chat_topics')
    .where({ recipient_id: recipientId })
    .whereRaw('name_key = LOWER(?)', [name])
    .first('id')) as { id: number } | undefined;
  return row?.id;
}

/** Finds or makes it. A topic without a message is harmless: nobody sees it. */
export async function ensure(db: Knex, recipientId: number, name: string): Promise<number> {
  const known = await idOf(db, recipientId, name);
  if (known !== undefined) return known;
  await db('chat_topics').insert({ recipient_id: recipientId, name }).onConflict().ignore();
  return (await idOf(db, recipientId, name))!;
}
