/** Which messages link which files: whoever may see such a message may see the file. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'chat_upload_links', (table) => {
    // Without a reference: a file that is deleted while a message about it is sent must not fail the message.
    table.integer('upload_id').unsigned().notNullable();
    table.integer('realm_id').unsigned().notNullable();
    table.bigInteger('message_id').unsigned().notNullable();
    table.primary(['upload_id', 'message_id']);
    table.index(['realm_id', 'message_id']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('chat_upload_links');
}
