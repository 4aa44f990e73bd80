/** Orders of many extensions that are not finished are mail of the kernel's table. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(
    'INSERT INTO kernel_mail (mailbox, tenant, address, body, state, due_at, created_at) ' +
      "SELECT 'pbx-bulk', CONCAT('tel:', company_id), id, JSON_OBJECT('id', id), 'pending', NOW(3), created_at " +
      'FROM tel_bulk_orders WHERE is_finished = 0',
  );
}

export const down = (db: Knex) => db('kernel_mail').where({ mailbox: 'pbx-bulk' }).delete();
