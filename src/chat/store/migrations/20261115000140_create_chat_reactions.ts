/** Emoji that people put under messages. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'chat_reactions', (table) => {
    // Their order on the wire is the order in which they came.
    table.bigIncrements('id');
    table.integer('realm_id').unsigned().notNullable();
    table.bigInteger('message_id').unsigned().notNullable();
    table.integer('user_id').unsigned().notNullable().references('chat_users.id');
    table.string('type', 20).collate('ascii_bin').notNullable();
    // Code points, or the id of an emoji of the organisation's own: the same picture is the same reaction.
    table.string('code', 100).collate('ascii_bin').notNullable();
    table.string('name', 100).collate('utf8mb4_bin').notNullable();
    table.unique(['realm_id', 'message_id', 'type', 'code', 'user_id'], { indexName: 'chat_reactions_once' });
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('chat_reactions');
}
