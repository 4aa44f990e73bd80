/** Rows of tel_text_drafts: what people have begun to write and not sent, one for each conversation. */
import type { Knex } from 'knex';
import type { ContactId } from '../../model/contacts/contact';
import type { ConversationId } from '../../model/texting/texting';

const TABLE = 'tel_text_drafts';

const rowOf = (writer: ContactId, id: ConversationId) => ({ contact_id: writer, conversation_id: id });

/** Empty if there is none. */
export async function find(db: Knex, writer: ContactId, id: ConversationId): Promise<string> {
  const row = (await db(TABLE).where(rowOf(writer, id)).first('text')) as { text: string } | undefined;
  return row?.text ?? '';
}

export async function keep(db: Knex, writer: ContactId, id: ConversationId, text: string): Promise<void> {
  await db(TABLE)
    .insert({ ...rowOf(writer, id), text, updated_at: db.raw('NOW(3)') })
    .onConflict()
    .merge(['text', 'updated_at']);
}

export async function remove(db: Knex, writer: ContactId, id: ConversationId): Promise<void> {
  await db(TABLE).where(rowOf(writer, id)).delete();
}
