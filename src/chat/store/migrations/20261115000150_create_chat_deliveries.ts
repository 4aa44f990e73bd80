/** What external services have delivered: taken down at the door, turned into messages by a worker. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export const up = (db: Knex) =>
  createTable(db, 'chat_deliveries', (table) => {
    table.bigIncrements('id');
    table.integer('realm_id').unsigned().notNullable();
    table.integer('bot_id').unsigned().notNullable();
    table.string('integration', 40).collate('ascii_bin').notNullable();
    // What tells a repeat: the service's own id of the delivery, or a hash of its body in a window of time.
    table.string('sameness', 190).collate('utf8mb4_bin').notNullable();
    table.string('stream', 60).nullable();
    table.string('topic', 60).nullable();
    table.specificType('payload', 'MEDIUMTEXT').notNullable();
    table.string('event', 190).notNullable().defaultTo('');
    table.string('state', 8).collate('ascii_bin').notNullable();
    table.integer('attempts').unsigned().notNullable().defaultTo(0);
    table.text('error').nullable();
    table.bigInteger('message_id').unsigned().nullable();
    table.dateTime('created_at', { precision: 3 }).notNullable();
    table.dateTime('finished_at', { precision: 3 }).nullable();
    table.unique(['bot_id', 'sameness']);
    table.index(['bot_id', 'state', 'id']);
    table.index(['state', 'created_at']);
  });

export const down = (db: Knex) => db.schema.dropTable('chat_deliveries');
