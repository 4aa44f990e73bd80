/** Rows of tel_reloads: which PBXs have changes that only a reload makes effective, and which reload is under way. */
import type { Knex } from 'knex';
import type { CompanyId } from '../model/company';

const MICROSECONDS = 1000;
const inMs = (db: Knex, milliseconds: number) =>
  db.raw('NOW(3) + INTERVAL ? MICROSECOND', [Math.round(milliseconds * MICROSECONDS)]);

export interface Reload {
  readonly instance: string;
  readonly transaction: string | null;
  readonly isDue: boolean;
  readonly isToBeLookedAt: boolean;
}

/** There is something to apply, after a while in which others may join it. */
export async function want(db: Knex, instance: string, waitMs: number): Promise<void> {
  const at = inMs(db, waitMs);
  await db('tel_reloads')
    .insert({ instance, wanted_at: at })
    .onConflict('instance')
    .merge({ wanted_at: db.raw('COALESCE(tel_reloads.wanted_at, ?)', [at]) });
}

export async function byInstance(db: Knex, instance: string): Promise<Reload | undefined> {
  const row = (await db('tel_reloads')
    .where({ instance })
    .first('instance', 'transaction', {
      isDue: db.raw('COALESCE(wanted_at <= NOW(3), 0)'),
      isToBeLookedAt: db.raw('COALESCE(look_at <= NOW(3), 0)'),
    })) as (Omit<Reload, 'isDue' | 'isToBeLookedAt'> & { isDue: number; isToBeLookedAt: number }) | undefined;
  return row && { ...row, isDue: row.isDue === 1, isToBeLookedAt: row.isToBeLookedAt === 1 };
}

/** Whatever is changed from here on needs another one. */
export async function begun(db: Knex, instance: string, transaction: string, lookAfterMs: number): Promise<void> {
  await db('tel_reloads')
    .where({ instance })
    .update({ transaction, wanted_at: null, look_at: inMs(db, lookAfterMs) });
}

export async function lookAgain(db: Knex, instance: string, afterMs: number): Promise<void> {
  await db('tel_reloads')
    .where({ instance })
    .update({ look_at: inMs(db, afterMs) });
}

export async function done(db: Knex, instance: string): Promise<void> {
  await db('tel_reloads')
    .where({ instance })
    .update({ transaction: null, look_at: null, reloaded_at: db.raw('NOW(3)') });
}

/** It failed, or nobody knows of it: once more, later. */
export async function postpone(db: Knex, instance: string, afterMs: number): Promise<void> {
  await db('tel_reloads')
    .where({ instance })
    .update({ transaction: null, look_at: null, wanted_at: inMs(db, afterMs) });
}

export async function remove(db: Knex, instance: string): Promise<void> {
  await db('tel_reloads').where({ instance }).delete();
}

const MOST_AT_ONCE = 200;

/** Instances on which a reload is to be begun or looked after. */
export async function due(db: Knex): Promise<{ instance: string; companyId: CompanyId }[]> {
  return (await db('tel_reloads')
    .join('tel_instances', 'tel_instances.uuid', 'tel_reloads.instance')
    .where((either) => {
      void either.where('look_at', '<=', db.raw('NOW(3)'));
      void either.orWhere((free) => void free.whereNull('transaction').where('wanted_at', '<=', db.raw('NOW(3)')));
    })
    .limit(MOST_AT_ONCE)
    .select('tel_reloads.instance', { companyId: 'tel_instances.company_id' })) as {
    instance: string;
    companyId: CompanyId;
  }[];
}
