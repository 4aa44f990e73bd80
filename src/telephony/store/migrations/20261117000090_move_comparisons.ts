/** Comparisons of PBXs are mail of their instances, as orders are. */
import type { Knex } from 'knex';

export const up = (db: Knex) =>
  db('kernel_mail')
    .where({ mailbox: 'pbx-reconcile' })
    .update({ mailbox: 'pbx', body: JSON.stringify({ isComparison: true }) });

/** The release before compares every PBX from time to time, and finds orders by itself. */
export const down = (db: Knex) => db('kernel_mail').where({ mailbox: 'pbx' }).delete();
