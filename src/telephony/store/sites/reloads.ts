/** Rows of tel_reloads: which PBXs have changes that wait for a reload, and which reload is running. */
import type { Knex } from 'knex';
import { mailWaits } from '../../../kernel/mailbox/kernel-mail';
import type { OwnedInstance } from './sites';

const MICROSECONDS = 1000;
const inMs = (db: Knex, milliseconds: number) =>
  db.raw('NOW(3) + INTERVAL ? MICROSECOND', [Math.round(milliseconds * MICROSECONDS)]);

/** Marks a reload that was requested but whose id is not known. */
export const UNNAMED = '';

export interface Reload {
  /** The PBX's id of the running reload; UNNAMED while the id is unknown. */
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

/** Requests a reload after a delay, so that one reload covers several changes. */
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

/** Whether changes wait for a reload, or one is running. */
export async function isPending(db: Knex, instance: string): Promise<boolean> {
  const row = (await db('tel_reloads')
    .where({ instance })
    .where((either) => void either.whereNotNull('wanted_at').orWhereNotNull('transaction'))
    .first('instance')) as { instance: string } | undefined;
  return row !== undefined;
}

/**
 * Claims the next reload. Recorded before the PBX is called, so that a crash in between leaves a marker: of two
 * concurrent reloads one would fail. Returns false while a reload runs on the same PBX, which several instances may
 * share. Later changes need another reload.
 */
export async function claim(tx: Knex, { uuid, address }: ReloadedPbx, lookAfterMs: number): Promise<boolean> {
  const there = (await tx('tel_instances').where({ address }).pluck('uuid')) as string[];
  // Locked in a fixed order, so that two claims cannot deadlock.
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

/** Gives up on a reload whose result is unknown, because asking again would not help. */
export async function giveUp(db: Knex, instance: string): Promise<void> {
  await db('tel_reloads').where({ instance }).update(OVER);
}

/** Requests the reload again, because it is not running and its changes still wait. */
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

const MAX_AT_ONCE = 200;

/** Instances with a reload to start or check, and without pending mail. */
export async function due(db: Knex, mailbox: string): Promise<OwnedInstance[]> {
  return (await db('tel_reloads')
    .join('tel_instances', 'tel_instances.uuid', 'tel_reloads.instance')
    .where((either) => {
      void either.where('look_at', '<=', db.raw('NOW(3)'));
      void either.orWhere((free) => void free.whereNull('transaction').where('wanted_at', '<=', db.raw('NOW(3)')));
    })
    .whereNotExists(mailWaits(db, mailbox, 'tel_reloads.instance'))
    .limit(MAX_AT_ONCE)
    .select('tel_reloads.instance', { companyId: 'tel_instances.company_id' })) as OwnedInstance[];
}
