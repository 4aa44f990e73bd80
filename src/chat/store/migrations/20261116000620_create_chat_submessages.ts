/** What people add to a message that is a poll or a list of tasks: the widget, votes, tasks. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'chat_submessages', (table) => {
    table.integer('realm_id').unsigned().notNullable();
    table.bigInteger('message_id').unsigned().notNullable();
    // From 1, in the order in which they came.
    table.integer('place').unsigned().notNullable();
    table.integer('sender_id').unsigned().notNullable();
    table.string('type', 100).collate('utf8mb4_bin').notNullable();
    table.text('content').notNullable();
    table.primary(['realm_id', 'message_id', 'place']);
  });
  await db.schema.alterTable('chat_messages', (table) => {
    // What its submessages add to an answer. Null, as in rows of the release before, for a message without any.
    table.integer('submessage_bytes').unsigned().nullable();
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('chat_messages', (table) => table.dropColumn('submessage_bytes'));
  await db.schema.dropTable('chat_submessages');
}
