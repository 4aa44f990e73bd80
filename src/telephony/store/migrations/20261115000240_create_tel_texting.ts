/** Numbers, contacts, conversations and texts of companies. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

const id = (table: Knex.CreateTableBuilder, name: string) => table.specificType(name, 'CHAR(24)').collate('ascii_bin');
/** A plus sign and at most fifteen digits. */
const number = (table: Knex.CreateTableBuilder, name: string) => table.string(name, 16).collate('ascii_bin');
const moment = (table: Knex.CreateTableBuilder, name: string) => table.dateTime(name, { precision: 3 });
const status = (table: Knex.CreateTableBuilder) => {
  table.string('status', 10).collate('ascii_bin').notNullable();
  // The order of the states, so that an update can refuse to go back.
  table.tinyint('status_rank').unsigned().notNullable();
};

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'tel_text_numbers', (table) => {
    number(table, 'e164').primary();
    id(table, 'company_id').notNullable().references('tel_companies.id');
    id(table, 'carrier_account_id').notNullable();
    table.string('label', 100).notNullable().defaultTo('');
    moment(table, 'created_at').notNullable();
    table.index(['company_id', 'e164']);
    table.index(['carrier_account_id']);
  });
  await createTable(db, 'tel_texting_contacts', (table) => {
    id(table, 'id').primary();
    id(table, 'company_id').notNullable().references('tel_companies.id');
    number(table, 'number').notNullable();
    // As it was entered.
    table.string('raw_number', 40).notNullable();
    table.string('first_name', 100).notNullable();
    table.string('last_name', 100).notNullable();
    // Conversations go on showing the number of a contact that was removed.
    table.boolean('is_removed').notNullable().defaultTo(false);
    moment(table, 'created_at').notNullable();
    moment(table, 'updated_at').notNullable();
    table.unique(['company_id', 'number']);
    table.index(['company_id', 'is_removed', 'first_name', 'last_name', 'id'], 'tel_texting_contacts_listed');
  });
  await createConversations(db);
  await createTexts(db);
  await createTable(db, 'tel_opt_outs', (table) => {
    id(table, 'id').primary();
    id(table, 'company_id').notNullable().references('tel_companies.id');
    number(table, 'our_number').notNullable();
    number(table, 'their_number').notNullable();
    table.string('source', 10).collate('ascii_bin').notNullable();
    moment(table, 'created_at').notNullable();
    table.unique(['company_id', 'our_number', 'their_number']);
    table.index(['company_id', 'created_at', 'id']);
  });
}

async function createConversations(db: Knex): Promise<void> {
  await createTable(db, 'tel_conversations', (table) => {
    id(table, 'id').primary();
    id(table, 'company_id').notNullable().references('tel_companies.id');
    table.string('conversation_type', 10).collate('ascii_bin').notNullable();
    table.string('name', 100).notNullable();
    number(table, 'from_number').notNullable();
    // The first member.
    id(table, 'contact_id').notNullable().references('tel_texting_contacts.id');
    // The contact of a direct conversation that is not deleted: there is one for each pair of numbers.
    id(table, 'direct_with').nullable();
    table.string('timezone', 64).notNullable();
    // Of whoever began it with a key: the same again is the same conversation again.
    table.specificType('origin_hash', 'CHAR(64)').collate('ascii_bin').nullable().unique();
    table.boolean('is_deleted').notNullable().defaultTo(false);
    // How many texts it ever had, how many of them came in, and how many were deleted.
    table.integer('last_seq').unsigned().notNullable().defaultTo(0);
    table.integer('inbound_count').unsigned().notNullable().defaultTo(0);
    table.integer('hidden_count').unsigned().notNullable().defaultTo(0);
    id(table, 'last_text_id').nullable();
    moment(table, 'last_activity_at').notNullable();
    moment(table, 'created_at').notNullable();
    moment(table, 'updated_at').notNullable();
    table.unique(['company_id', 'from_number', 'direct_with']);
    table.index(['company_id', 'is_deleted', 'last_activity_at', 'id'], 'tel_conversations_listed');
  });
  await createTable(db, 'tel_conversation_members', (table) => {
    id(table, 'conversation_id').notNullable().references('tel_conversations.id');
    table.tinyint('position').unsigned().notNullable();
    id(table, 'contact_id').notNullable().references('tel_texting_contacts.id');
    table.primary(['conversation_id', 'position']);
    table.index(['contact_id', 'conversation_id']);
  });
  // Somebody's own view of a conversation: what came in up to read_to is read, and tel_text_reads has what is above.
  await createTable(db, 'tel_conversation_views', (table) => {
    id(table, 'contact_id').notNullable();
    id(table, 'conversation_id').notNullable().references('tel_conversations.id');
    table.integer('read_to').unsigned().notNullable().defaultTo(0);
    moment(table, 'pinned_at').nullable();
    table.primary(['contact_id', 'conversation_id']);
  });
}

async function createTexts(db: Knex): Promise<void> {
  await createTable(db, 'tel_texts', (table) => {
    id(table, 'id').primary();
    id(table, 'company_id').notNullable();
    id(table, 'conversation_id').notNullable().references('tel_conversations.id');
    table.integer('seq').unsigned().notNullable();
    // Counts what came in; null for what was sent.
    table.integer('inbound_seq').unsigned().nullable();
    table.string('direction', 8).collate('ascii_bin').notNullable();
    table.text('text').notNullable();
    status(table);
    table.smallint('segments').unsigned().notNullable();
    table.string('error_code', 50).notNullable().defaultTo('');
    table.string('error_detail', 500).notNullable().defaultTo('');
    // The user who sent it; null for what came in or was answered automatically.
    id(table, 'sender_id').nullable();
    table.string('stamp_id', 100).collate('utf8mb4_bin').nullable();
    table.string('idempotency_key', 255).collate('ascii_bin').nullable();
    id(table, 'carrier_account_id').nullable();
    table.string('carrier_message_id', 128).collate('utf8mb4_bin').nullable();
    // A deleted text stays as an empty row, so that telling of it again does not bring it back.
    moment(table, 'deleted_at').nullable();
    moment(table, 'created_at').notNullable();
    moment(table, 'updated_at').notNullable();
    table.unique(['conversation_id', 'seq']);
    table.unique(['conversation_id', 'inbound_seq']);
    table.unique(['conversation_id', 'sender_id', 'stamp_id'], { indexName: 'tel_texts_stamp' });
    table.unique(['conversation_id', 'sender_id', 'idempotency_key'], { indexName: 'tel_texts_idempotency' });
    table.unique(['carrier_account_id', 'carrier_message_id'], { indexName: 'tel_texts_carrier' });
  });
  await createTable(db, 'tel_text_sends', (table) => {
    id(table, 'id').primary();
    id(table, 'text_id').notNullable().references('tel_texts.id');
    id(table, 'conversation_id').notNullable();
    // The order of sending in a conversation: the text's number, then the member's place.
    table.integer('seq').unsigned().notNullable();
    table.tinyint('position').unsigned().notNullable();
    number(table, 'to_number').notNullable();
    id(table, 'carrier_account_id').notNullable();
    table.string('carrier_message_id', 128).collate('utf8mb4_bin').nullable();
    status(table);
    table.string('error_code', 50).notNullable().defaultTo('');
    table.string('error_detail', 500).notNullable().defaultTo('');
    moment(table, 'created_at').notNullable();
    moment(table, 'updated_at').notNullable();
    table.unique(['text_id', 'position']);
    table.unique(['carrier_account_id', 'carrier_message_id'], { indexName: 'tel_text_sends_carrier' });
    table.index(['conversation_id', 'status_rank', 'seq', 'position'], 'tel_text_sends_next');
    table.index(['status_rank', 'updated_at']);
  });
  await createTable(db, 'tel_text_files', (table) => {
    id(table, 'text_id').notNullable().references('tel_texts.id');
    table.tinyint('position').unsigned().notNullable();
    id(table, 'file_id').notNullable();
    table.primary(['text_id', 'position']);
    table.index(['file_id']);
  });
  // What somebody has read above their mark; under the id of nobody, what is deleted and counts as read by all.
  await createTable(db, 'tel_text_reads', (table) => {
    id(table, 'conversation_id').notNullable().references('tel_conversations.id');
    id(table, 'contact_id').notNullable();
    table.integer('inbound_seq').unsigned().notNullable();
    table.primary(['conversation_id', 'contact_id', 'inbound_seq']);
  });
}

export async function down(db: Knex): Promise<void> {
  const texts = ['tel_text_reads', 'tel_text_files', 'tel_text_sends', 'tel_texts'];
  const conversations = ['tel_conversation_views', 'tel_conversation_members', 'tel_conversations'];
  for (const table of ['tel_opt_outs', ...texts, ...conversations, 'tel_texting_contacts', 'tel_text_numbers']) {
    await db.schema.dropTable(table);
  }
}
