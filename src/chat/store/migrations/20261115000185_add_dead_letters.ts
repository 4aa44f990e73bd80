/** What failed for good is told to the bot's owner, once, and can be found by what the service called it. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('chat_deliveries', (table) => {
    // Which private message tells of it: chosen before it is sent, so that a repeat is the same message.
    table.specificType('notice', 'CHAR(24)').collate('ascii_bin').nullable();
    table.dateTime('told_at', { precision: 3 }).nullable();
    table.unique(['sameness', 'bot_id'], { indexName: 'chat_deliveries_sameness' });
    table.index(['integration', 'id'], 'chat_deliveries_integration');
    table.index(['state', 'told_at', 'bot_id'], 'chat_deliveries_untold');
    table.index(['state', 'finished_at'], 'chat_deliveries_finished');
  });
  await db.schema.alterTable('chat_deliveries', (table) => table.dropUnique(['bot_id', 'sameness']));
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('chat_deliveries', (table) => table.unique(['bot_id', 'sameness']));
  await db.schema.alterTable('chat_deliveries', (table) => {
    table.dropUnique(['sameness', 'bot_id'], 'chat_deliveries_sameness');
    table.dropIndex(['integration', 'id'], 'chat_deliveries_integration');
    table.dropIndex(['state', 'told_at', 'bot_id'], 'chat_deliveries_untold');
    table.dropIndex(['state', 'finished_at'], 'chat_deliveries_finished');
    table.dropColumns('notice', 'told_at');
  });
}
