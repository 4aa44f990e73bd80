/** Which branches an address wants: a push may change several, and the worker leaves out those that are not wanted. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  // An address is shorter than this column, whatever it lists.
  await db.schema.alterTable('chat_deliveries', (table) => table.text('branches').nullable());
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('chat_deliveries', (table) => table.dropColumn('branches'));
}
