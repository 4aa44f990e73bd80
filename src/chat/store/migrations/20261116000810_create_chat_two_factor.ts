/** Second factors of people, and what an organisation asks of those who sign in. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'chat_two_factor', (table) => {
    table.integer('user_id').unsigned().primary().references('chat_users.id');
    table.string('secret_sealed', 160).collate('ascii_bin').notNullable();
    // False until its owner has shown a code of it.
    table.boolean('is_on').notNullable().defaultTo(false);
    // Codes of this half minute and of those before it were used.
    table.bigInteger('last_step').unsigned().notNullable().defaultTo(0);
  });
  await createTable(db, 'chat_recovery_codes', (table) => {
    table.integer('user_id').unsigned().notNullable().references('chat_users.id');
    table.specificType('code_hash', 'CHAR(64)').collate('ascii_bin').notNullable();
    table.primary(['user_id', 'code_hash']);
  });
  await createTable(db, 'chat_sign_in_rules', (table) => {
    table.integer('realm_id').unsigned().primary().references('chat_realms.id');
    table.boolean('is_two_factor_required').notNullable().defaultTo(false);
  });
}

export async function down(db: Knex): Promise<void> {
  for (const table of ['chat_sign_in_rules', 'chat_recovery_codes', 'chat_two_factor'])
    await db.schema.dropTable(table);
}
