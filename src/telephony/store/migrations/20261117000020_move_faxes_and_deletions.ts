/**
 * Faxes that wait for a carrier, and deleted conversations that are not emptied yet, are mail of the kernel's table. The
 * columns that release 0.1 finds them by stay; this release does not write them, so each needs a default.
 */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw('ALTER TABLE tel_faxes ALTER COLUMN next_try_at SET DEFAULT CURRENT_TIMESTAMP(3)');
}

export async function down(db: Knex): Promise<void> {
  await db('tel_conversations').where({ is_deleted: true }).update({ is_to_forget: true });
  await db.raw('ALTER TABLE tel_faxes ALTER COLUMN next_try_at DROP DEFAULT');
  await db('kernel_mail').whereIn('mailbox', ['fax-outbound', 'texting-forget']).delete();
}
