/** Mentions and private messages whose readers were away, until they are mailed; and how far messages were looked at. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'chat_missed_messages', (table) => {
    table.integer('user_id').unsigned().notNullable();
    table.bigInteger('message_id').unsigned().notNullable();
    table.integer('realm_id').unsigned().notNullable();
    table.integer('recipient_id').unsigned().notNullable();
    table.integer('topic_id').unsigned().nullable();
    table.integer('sender_id').unsigned().notNullable();
    table.integer('sent_at').unsigned().notNullable();
    table.primary(['user_id', 'message_id']);
    table.index(['sent_at', 'user_id']);
  });
  await createTable(db, 'chat_missed_cursors', (table) => {
    table.integer('realm_id').unsigned().primary();
    table.bigInteger('noted_id').unsigned().notNullable();
  });
}

export async function down(db: Knex): Promise<void> {
  for (const table of ['chat_missed_cursors', 'chat_missed_messages']) await db.schema.dropTable(table);
}
