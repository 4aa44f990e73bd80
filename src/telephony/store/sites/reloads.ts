/** Rows of tel_reloads: which PBXs have changes that only a reload makes effective, and which reload is under way. */
import type { Knex } from 'knex';
import { mailWaits } from '../../../kernel/mailbox/own-mail';
import type { OwnedInstance } from './sites';

const MICROSECONDS = 1000;
const inMs = (db: Knex, milliseconds: number) =>
  db.raw('NOW(3) + INTERVAL ? MICROSECOND', [Math.round(milliseconds * MICROSECONDS)]);

/** The transaction of a reload that was asked for and of which no id came back. */
export const UNNAMED = '';

export interface Reload {
  /** As the PBX calls the reload under way; UNNAMED while its id is not known. */
  readonly transaction: string | null;
  readonly isDue: boolean;
  readonly isToBeLookedAt: boolean;
  readonly underWayMs: number;
  /** Failed reloads in a row. */
  readonly failures: number;
}

interface Row {
  transaction: string | null;
  is_due: number;
  is_to_be_looked_at: number;
  under_way_ms: number | string;
  failures: number;
}

export interface ReloadedPbx {
  readonly uuid: string;
  readonly address: string;
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
    .first('transaction', 'failures', {
      is_due: db.raw('COALESCE(wanted_at <= NOW(3), 0)'),
      is_to_be_looked_at: db.raw('COALESCE(look_at <= NOW(3), 0)'),
      under_way_ms: db.raw('COALESCE(TIMESTAMPDIFF(MICROSECOND, begun_at, NOW(3)) DIV 1000, 0)'),
    })) as Row | undefined;
  return (
    row && {
      transaction: row.transaction,
      isDue: row.is_due === 1,
      isToBeLookedAt: row.is_to_be_looked_at === 1,
      underWayMs: Number(row.under_way_ms),
      failures: row.failures,
    }
  );
}

/** Changes wait for a reload, or one is under way. */
export async function isPending(db: Knex, instance: string): Promise<boolean> {
  const row = (await db('tel_reloads')
    .where({ instance })
    .where((either) => void either.whereNotNull('wanted_at').orWhereNotNull('transaction'))
    .first('instance')) as { instance: string } | undefined;
  return row !== undefined;
}

/**
 * Written down before the PBX is asked, so that whoever dies in between leaves a sign: of two reloads at the same time
 * one fails. False while one is under way on the same PBX, which several instances may stand for. Whatever is changed
 * from here on needs another one.
 */
export async function claim(tx: Knex, { uuid, address }: ReloadedPbx, lookAfterMs: number): Promise<boolean> {
  const there = (await tx('tel_instances').where({ address }).pluck('uuid')) as string[];
  // Locked in one order, so that two claims wait for each other and do not deadlock.
  const rows = (await tx('tel_reloads')
    .whereIn('instance', [uuid, ...there])
    .orderBy('instance')
    .forUpdate()
    .select('transaction')) as Pick<Row, 'transaction'>[];
  if (rows.some(({ transaction }) => transaction !== null)) return false;
  await tx('tel_reloads')
    .where({ instance: uuid })
    .update({ transaction: UNNAMED, wanted_at: null, begun_at: tx.raw('NOW(3)'), look_at: inMs(tx, lookAfterMs) });
  return true;
}

export async function begun(db: Knex, instance: string, transaction: string, lookAfterMs: number): Promise<void> {
  await db('tel_reloads')
    .where({ instance })
    .update({ transaction, look_at: inMs(db, lookAfterMs) });
}

export async function lookAgain(db: Knex, instance: string, afterMs: number): Promise<void> {
  await db('tel_reloads')
    .where({ instance })
    .update({ look_at: inMs(db, afterMs) });
}

const OVER = { transaction: null, look_at: null, begun_at: null };

export async function done(db: Knex, instance: string): Promise<void> {
  await db('tel_reloads')
    .where({ instance })
    .update({ ...OVER, failures: 0, reloaded_at: db.raw('NOW(3)') });
}

/** Nobody can say what became of it, and asking again would not help. */
export async function giveUp(db: Knex, instance: string): Promise<void> {
  await db('tel_reloads').where({ instance }).update(OVER);
}

/** It is not under way, and its changes are still to be applied. */
export async function again(db: Knex, instance: string, afterMs: number): Promise<void> {
  await db('tel_reloads')
    .where({ instance })
    .update({ ...OVER, wanted_at: inMs(db, afterMs) });
}

export async function failed(db: Knex, instance: string, afterMs: number): Promise<void> {
  await db('tel_reloads')
    .where({ instance })
    .update({ ...OVER, wanted_at: inMs(db, afterMs), failures: db.raw('failures + 1') });
}

export async function remove(db: Knex, instance: string): Promise<void> {
  await db('tel_reloads').where({ instance }).delete();
}

const MOST_AT_ONCE = 200;

/** Instances on which a reload is to be begun or looked after, and for which no mail waits. */
export async function due(db: Knex, mailbox: string): Promise<OwnedInstance[]> {
  return (await db('tel_reloads')
    .join('tel_instances', 'tel_instances.uuid', 'tel_reloads.instance')
    .where((either) => {
      void either.where('look_at', '<=', db.raw('NOW(3)'));
      void either.orWhere((free) => void free.whereNull('transaction').where('wanted_at', '<=', db.raw('NOW(3)')));
    })
    .whereNotExists(mailWaits(db, mailbox, 'tel_reloads.instance'))
    .limit(MOST_AT_ONCE)
    .select('tel_reloads.instance', { companyId: 'tel_instances.company_id' })) as OwnedInstance[];
}
