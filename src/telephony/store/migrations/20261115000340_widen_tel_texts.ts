/** Columns that hold all that the API lets in: an extension has 90 fields of 255 characters, of up to four bytes each. */
import type { Knex } from 'knex';

const WIDENED: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['tel_extensions', { data: 'NOT NULL' }],
  ['tel_operations', { payload: 'NULL', answer: 'NULL' }],
  ['tel_drift', { report: 'NOT NULL' }],
  ['tel_fax_destinations', { emails: 'NOT NULL' }],
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
