/** A moment of the past by MySQL's clock, which all nodes share. */
import type { Knex } from 'knex';

const MICROSECONDS = 1000;

export const ago = (db: Knex, milliseconds: number): Knex.Raw =>
  db.raw('NOW(3) - INTERVAL ? MICROSECOND', [Math.round(milliseconds * MICROSECONDS)]);
