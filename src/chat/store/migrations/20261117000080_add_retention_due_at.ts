/** When to look next for messages that an organisation no longer keeps: most have nothing to forget for a long time. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('chat_realms', (table) => {
    // Long ago: whoever is new, or is changed by the release before, is looked at soon.
    table.dateTime('retention_due_at', { precision: 3 }).notNullable().defaultTo('2000-01-01 00:00:00').index();
  });
}

export const down = (db: Knex) => db.schema.alterTable('chat_realms', (table) => table.dropColumn('retention_due_at'));
