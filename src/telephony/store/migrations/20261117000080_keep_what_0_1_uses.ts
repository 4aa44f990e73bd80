/**
 * Release 0.1 runs beside this one during an upgrade and needs its tables. States between the two releases had removed
 * some: in a database of such a state they are made again.
 */
import type { Knex } from 'knex';
import { up as createLetters } from './20261116000950_create_tel_letters';

export async function up(db: Knex): Promise<void> {
  if (!(await db.schema.hasTable('tel_letters'))) await createLetters(db);
  if (!(await db.schema.hasTable('tel_send_tries'))) {
    await db.raw(
      'CREATE TABLE tel_send_tries (send_id CHAR(24) COLLATE ascii_bin NOT NULL PRIMARY KEY, tries SMALLINT UNSIGNED NOT NULL, ' +
        'called_at DATETIME(3) NULL, next_try_at DATETIME(3) NOT NULL, created_at DATETIME(3) NOT NULL, error VARCHAR(500) NULL)',
    );
    await db.schema.alterTable('tel_text_sends', (table) => table.index(['status_rank', 'updated_at']));
  }
  if (!(await db.schema.hasColumn('tel_faxes', 'next_try_at'))) {
    await db.schema.alterTable('tel_faxes', (table) => {
      table.smallint('tries').unsigned().notNullable().defaultTo(0);
      table.dateTime('next_try_at', { precision: 3 }).notNullable().defaultTo(db.fn.now(3));
      table.index(['status', 'next_try_at']);
    });
  }
  if (!(await db.schema.hasColumn('tel_conversations', 'is_to_forget'))) {
    await db.raw(
      'ALTER TABLE tel_conversations ADD COLUMN is_to_forget TINYINT(1) NOT NULL DEFAULT 0, ' +
        'ADD INDEX tel_conversations_to_forget (is_to_forget, updated_at)',
    );
  }
}

/** The release before has them. */
export const down = () => Promise.resolve();
