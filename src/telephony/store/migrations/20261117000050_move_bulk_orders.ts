/** Orders of many extensions are mail of the kernel's table; those of release 0.1 are found by their rows. */
import type { Knex } from 'knex';

export const up = () => Promise.resolve();

export const down = (db: Knex) => db('kernel_mail').where({ mailbox: 'pbx-bulk' }).delete();
