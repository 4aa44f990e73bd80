/** A report names every extension that differs: 64 KB are too few for a PBX of thousands. */
import type { Knex } from 'knex';

const modify = async (db: Knex, type: string): Promise<void> => {
  await db.raw(`ALTER TABLE tel_drift MODIFY report ${type} NOT NULL`);
};

export const up = (db: Knex): Promise<void> => modify(db, 'MEDIUMTEXT');
export const down = (db: Knex): Promise<void> => modify(db, 'TEXT');
