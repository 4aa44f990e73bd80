/** Faxes that wait for a carrier, and deleted conversations that are not emptied yet, are mail of the kernel's table. */
import type { Knex } from 'knex';

const MAIL = 'INSERT INTO kernel_mail (mailbox, tenant, address, body, state, due_at, created_at) ';

export async function up(db: Knex): Promise<void> {
  await db.raw(
    `${MAIL} SELECT 'fax-outbound', CONCAT('tel:', company_id), id, JSON_OBJECT('faxId', id), 'pending', NOW(3), created_at ` +
      "FROM tel_faxes WHERE status = 'queued'",
  );
  await db.raw(
    `${MAIL} SELECT 'texting-forget', CONCAT('tel:', company_id), id, JSON_OBJECT('conversationId', id), 'pending', NOW(3), ` +
      'NOW(3) FROM tel_conversations WHERE is_to_forget = 1',
  );
  await db.schema.alterTable('tel_faxes', (table) => {
    table.dropIndex(['status', 'next_try_at']);
    table.dropColumns('next_try_at', 'tries');
  });
  await db.raw('ALTER TABLE tel_conversations DROP INDEX tel_conversations_to_forget, DROP COLUMN is_to_forget');
}

export async function down(db: Knex): Promise<void> {
  await db.raw(
    'ALTER TABLE tel_conversations ADD COLUMN is_to_forget TINYINT(1) NOT NULL DEFAULT 0, ' +
      'ADD INDEX tel_conversations_to_forget (is_to_forget, updated_at)',
  );
  await db('tel_conversations').where({ is_deleted: true }).update({ is_to_forget: true });
  await db.schema.alterTable('tel_faxes', (table) => {
    table.smallint('tries').unsigned().notNullable().defaultTo(0);
    table.dateTime('next_try_at', { precision: 3 }).notNullable().defaultTo(db.fn.now(3));
    table.index(['status', 'next_try_at']);
  });
  await db('kernel_mail').whereIn('mailbox', ['fax-outbound', 'texting-forget']).delete();
}
