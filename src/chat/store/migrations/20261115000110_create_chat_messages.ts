/** Messages with their topics, and what each user has read, flagged and muted: no row per recipient anywhere. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'chat_topics', (table) => {
    table.increments('id');
    table.integer('recipient_id').unsigned().notNullable().references('chat_recipients.id');
    table.string('name', 60).notNullable();
    table.unique(['recipient_id', 'name']);
  });
  await createTable(db, 'chat_messages', (table) => {
    table.integer('realm_id').unsigned().notNullable();
    // From the organisation's counter, in the order of the commits.
    table.bigInteger('id').unsigned().notNullable();
    table.integer('recipient_id').unsigned().notNullable();
    table.integer('topic_id').unsigned().nullable();
    table.integer('sender_id').unsigned().notNullable();
    table.string('topic', 60).notNullable();
    table.specificType('content', 'MEDIUMTEXT').notNullable();
    table.specificType('rendered', 'MEDIUMTEXT').notNullable();
    table.string('client', 30).notNullable();
    table.integer('traits').unsigned().notNullable().defaultTo(0);
    table.integer('sent_at').unsigned().notNullable();
    table.integer('edited_at').unsigned().nullable();
    table.specificType('edits', 'MEDIUMTEXT').nullable();
    // What makes a repeated send the same message: sender, queue and local id, a delivery, or a key of the client's.
    table.string('origin', 190).collate('utf8mb4_bin').nullable();
    table.primary(['realm_id', 'id']);
    // What narrows look at stands in the index itself, so that passing over a message costs no look at its row.
    const lookedAt = ['topic_id', 'sender_id', 'traits'];
    table.index(['realm_id', 'recipient_id', 'id', ...lookedAt], 'chat_messages_realm_id_recipient_id_id_index');
    table.index(
      ['realm_id', 'topic_id', 'id', 'recipient_id', 'sender_id', 'traits'],
      'chat_messages_realm_id_topic_id_id_index',
    );
    table.index(
      ['realm_id', 'sender_id', 'id', 'recipient_id', 'topic_id', 'traits'],
      'chat_messages_realm_id_sender_id_id_index',
    );
    table.unique(['realm_id', 'origin']);
  });
  await createTable(db, 'chat_receptions', (table) => {
    // Closed intervals: subscribed once, and left. The open one is the subscription's own from_id.
    table.integer('user_id').unsigned().notNullable();
    table.integer('recipient_id').unsigned().notNullable();
    table.bigInteger('from_id').unsigned().notNullable();
    table.bigInteger('to_id').unsigned().notNullable();
    table.primary(['user_id', 'recipient_id', 'from_id']);
  });
  await createTable(db, 'chat_topic_reads', (table) => {
    table.integer('user_id').unsigned().notNullable();
    table.integer('topic_id').unsigned().notNullable();
    table.integer('recipient_id').unsigned().notNullable();
    table.bigInteger('read_id').unsigned().notNullable();
    table.primary(['user_id', 'topic_id']);
    table.index(['user_id', 'recipient_id']);
    table.index(['topic_id', 'user_id']);
  });
  await createTable(db, 'chat_read_exceptions', (table) => {
    // Read above a cursor, or unread below one.
    table.integer('user_id').unsigned().notNullable();
    table.bigInteger('message_id').unsigned().notNullable();
    table.integer('recipient_id').unsigned().notNullable();
    table.boolean('is_read').notNullable();
    table.primary(['user_id', 'message_id']);
    table.index(['user_id', 'is_read', 'recipient_id', 'message_id'], 'chat_read_exceptions_by_recipient');
  });
  await createTable(db, 'chat_flags', (table) => {
    table.integer('user_id').unsigned().notNullable();
    table.tinyint('flag').unsigned().notNullable();
    table.bigInteger('message_id').unsigned().notNullable();
    table.primary(['user_id', 'flag', 'message_id']);
    table.index(['message_id', 'user_id']);
  });
  await createTable(db, 'chat_muted_topics', (table) => {
    table.integer('user_id').unsigned().notNullable();
    table.integer('stream_id').unsigned().notNullable();
    table.string('topic', 60).notNullable();
    table.primary(['user_id', 'stream_id', 'topic']);
  });
}

export async function down(db: Knex): Promise<void> {
  for (const table of ['muted_topics', 'flags', 'read_exceptions', 'topic_reads', 'receptions', 'messages', 'topics']) {
    await db.schema.dropTable(`chat_${table}`);
  }
}
