/** Calls of carriers that could not be read are called as all dead letters are. */
import type { Knex } from 'knex';

const rename = (db: Knex, from: string, to: string) =>
  db('tel_carrier_calls').where({ state: from }).update({ state: to });

export const up = (db: Knex) => rename(db, 'dead', 'failed');

export const down = (db: Knex) => rename(db, 'failed', 'dead');
