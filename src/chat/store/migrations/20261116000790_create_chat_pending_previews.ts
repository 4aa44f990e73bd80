/** Messages whose linked pages are still to be shown. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'chat_pending_previews', (table) => {
    table.integer('realm_id').unsigned().notNullable();
    table.bigInteger('message_id').unsigned().notNullable();
    table.dateTime('created_at', { precision: 3 }).notNullable().index();
    table.primary(['realm_id', 'message_id']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('chat_pending_previews');
}
