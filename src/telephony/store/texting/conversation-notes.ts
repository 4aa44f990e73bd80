/** Rows of tel_conversation_notes. */
import type { Knex } from 'knex';
import type { ConversationNote } from '../../model/texting/conversation-note';
import type { ConversationId } from '../../model/texting/texting';

const TABLE = 'tel_conversation_notes';
const COLUMNS = { id: 'id', authorId: 'author_id', text: 'text', createdAt: 'created_at' } as const;

/** Oldest first. */
export async function list(db: Knex, id: ConversationId): Promise<ConversationNote[]> {
  return (await db(TABLE)
    .where({ conversation_id: id })
    .orderBy(['created_at', 'id'])
    .select(COLUMNS)) as ConversationNote[];
}

export async function insert(db: Knex, conversationId: ConversationId, note: ConversationNote): Promise<void> {
  const { id, authorId, text, createdAt } = note;
  await db(TABLE).insert({ id, conversation_id: conversationId, author_id: authorId, text, created_at: createdAt });
}

export async function remove(db: Knex, id: string): Promise<void> {
  await db(TABLE).where({ id }).delete();
}

export async function removeAll(db: Knex, id: ConversationId): Promise<void> {
  await db(TABLE).where({ conversation_id: id }).delete();
}
