/** Deleted conversations whose texts have still to be emptied are found again, whatever became of their job. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(
    'ALTER TABLE tel_conversations ADD COLUMN is_to_forget TINYINT(1) NOT NULL DEFAULT 0, ' +
      'ADD INDEX tel_conversations_to_forget (is_to_forget, updated_at)',
  );
  // Of those that were deleted before, nobody wrote down which are done: emptying them again changes nothing.
  await db('tel_conversations').where({ is_deleted: true }).update({ is_to_forget: true });
}

export async function down(db: Knex): Promise<void> {
  await db.raw('ALTER TABLE tel_conversations DROP INDEX tel_conversations_to_forget, DROP COLUMN is_to_forget');
}
