/** How users are shown to each other, and who of them is connected. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

const id = (table: Knex.CreateTableBuilder, name: string) => table.specificType(name, 'CHAR(24)').collate('ascii_bin');

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'tel_statuses', (table) => {
    id(table, 'contact_id').primary().references('tel_contacts.id').onDelete('CASCADE');
    id(table, 'company_id').notNullable().references('tel_companies.id');
    id(table, 'id').notNullable().unique();
    table.string('main_status', 40).notNullable();
    table.string('main_action_type', 10).collate('ascii_bin').notNullable();
    table.string('chosen_status', 40).nullable();
    table.string('additional_status', 40).notNullable();
    table.string('additional_action_type', 10).collate('ascii_bin').notNullable();
    table.boolean('is_online').notNullable();
    table.dateTime('created_at', { precision: 3 }).notNullable();
    table.dateTime('updated_at', { precision: 3 }).notNullable();
    table.index(['company_id']);
    // The sweep for those who went offline walks along it.
    table.index(['is_online', 'contact_id']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('tel_statuses');
}
