/** Outgoing webhook bots: where each one's program is reached, and the messages that it is to be told of. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'chat_bot_endpoints', (table) => {
    table.integer('user_id').unsigned().primary().references('chat_users.id');
    table.integer('realm_id').unsigned().notNullable().index();
    table.string('name', 100).notNullable();
    table.specificType('interface', 'TINYINT UNSIGNED').notNullable();
    // An address may hold a password, and often is one.
    table.text('url_sealed').collate('ascii_bin').notNullable();
    table.text('token_sealed').collate('ascii_bin').notNullable();
  });
  await createTable(db, 'chat_outgoing_calls', (table) => {
    table.bigIncrements('id');
    table.integer('realm_id').unsigned().notNullable();
    table.integer('bot_id').unsigned().notNullable();
    table.bigInteger('message_id').unsigned().notNullable();
    // What the message did: mention the bot, or go to it alone.
    table.string('cause', 15).collate('ascii_bin').notNullable();
    table.string('state', 8).collate('ascii_bin').notNullable();
    table.integer('attempts').unsigned().notNullable().defaultTo(0);
    table.text('error').nullable();
    // The message in which the bot answered.
    table.bigInteger('answer_id').unsigned().nullable();
    table.dateTime('due_at', { precision: 3 }).notNullable();
    table.dateTime('created_at', { precision: 3 }).notNullable();
    table.dateTime('finished_at', { precision: 3 }).nullable();
    table.unique(['bot_id', 'message_id']);
    table.index(['bot_id', 'state', 'due_at']);
    table.index(['state', 'due_at']);
    table.index(['state', 'finished_at']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('chat_outgoing_calls');
  await db.schema.dropTable('chat_bot_endpoints');
}
