/** Columns that hold all that the API lets in: 64 KB are too few for rendered emoji and long lists of choices. */
import type { Knex } from 'knex';

const WIDENED: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['chat_streams', { rendered_description: 'NOT NULL' }],
  ['chat_profile_fields', { field_data: 'NOT NULL' }],
  ['chat_profile_values', { value: 'NOT NULL', rendered: 'NULL' }],
];

/** One rebuild for each table. */
async function modify(db: Knex, type: 'TEXT' | 'MEDIUMTEXT'): Promise<void> {
  for (const [table, columns] of WIDENED) {
    const changes = Object.entries(columns).map(([column, nullness]) => `MODIFY ${column} ${type} ${nullness}`);
    await db.raw(`ALTER TABLE ${table} ${changes.join(', ')}`);
  }
}

export const up = (db: Knex): Promise<void> => modify(db, 'MEDIUMTEXT');
export const down = (db: Knex): Promise<void> => modify(db, 'TEXT');
