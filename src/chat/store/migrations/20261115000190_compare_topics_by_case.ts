/** Topics are one whatever the case they are written in, and nothing else: unlike in the collation, accents count. */
import type { Knex } from 'knex';

/** Lowered as the connection lowers what it is compared with, as the keys of streams' names are. */
const keyOf = (column: string) =>
  'VARCHAR(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ' +
  `GENERATED ALWAYS AS (LOWER(${column} COLLATE utf8mb4_unicode_ci)) STORED`;

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('chat_topics', (table) => {
    table.specificType('name_key', keyOf('name'));
    table.unique(['recipient_id', 'name_key']);
  });
  await db.schema.alterTable('chat_topics', (table) => table.dropUnique(['recipient_id', 'name']));
  await db.schema.alterTable('chat_muted_topics', (table) => {
    // A generated column cannot be part of the primary key.
    table.string('topic', 60).collate('utf8mb4_bin').notNullable().alter();
    table.specificType('topic_key', keyOf('topic'));
    table.unique(['user_id', 'stream_id', 'topic_key']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('chat_muted_topics', (table) => {
    table.dropUnique(['user_id', 'stream_id', 'topic_key']);
    table.dropColumn('topic_key');
  });
  await db.schema.alterTable('chat_muted_topics', (table) => {
    table.string('topic', 60).collate('utf8mb4_unicode_520_ci').notNullable().alter();
  });
  await db.schema.alterTable('chat_topics', (table) => table.unique(['recipient_id', 'name']));
  await db.schema.alterTable('chat_topics', (table) => {
    table.dropUnique(['recipient_id', 'name_key']);
    table.dropColumn('name_key');
  });
}
