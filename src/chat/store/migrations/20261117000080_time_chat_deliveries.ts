/**
 * Deliveries are mail like any other, which has a time at which it is due. The release before writes rows without it:
 * these are due at once.
 */
import type { Knex } from 'knex';

const DUE = 'chat_deliveries_due';

export const up = (db: Knex) =>
  db.schema.alterTable('chat_deliveries', (table) => {
    table.dateTime('due_at', { precision: 3 }).notNullable().defaultTo(db.raw('CURRENT_TIMESTAMP(3)'));
    table.index(['state', 'due_at'], DUE);
  });

export const down = (db: Knex) =>
  db.schema.alterTable('chat_deliveries', (table) => {
    table.dropIndex(['state', 'due_at'], DUE);
    table.dropColumn('due_at');
  });
