/** Orders whose caller accepts that the messages of the mailbox are deleted. */
import type { Knex } from 'knex';

export const up = (db: Knex) =>
  db.schema.alterTable('tel_operations', (table) => void table.boolean('may_discard').notNullable().defaultTo(false));

/** The release before deletes them without asking, and knows nothing of undos that were given up. */
export async function down(db: Knex): Promise<void> {
  await db('tel_operations').where({ state: 'stuck' }).update({ state: 'failed' });
  await db.schema.alterTable('tel_operations', (table) => table.dropColumn('may_discard'));
}
