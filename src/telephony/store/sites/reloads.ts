/** Rows of tel_reloads: which PBXs have changes that wait for a reload, and which reload is running. */
import type { Knex } from 'knex';

/** Marks a reload that was requested but whose id is not known. */
export const UNNAMED = '';

export interface Reload {
  /** Changes wait for a reload that has not begun. */
  readonly isWanted: boolean;
  /** The PBX's id of the running reload; UNNAMED while the id is unknown. */
  readonly transaction: string | null;
  readonly underWayMs: number;
}

interface Row {
  is_wanted: number;
  transaction: string | null;
  under_way_ms: number | string;
}

const NONE: Reload = { isWanted: false, transaction: null, underWayMs: 0 };

export async function byInstance(db: Knex, instance: string): Promise<Reload> {
  const underWay = db.raw('COALESCE(TIMESTAMPDIFF(MICROSECOND, begun_at, NOW(3)) DIV 1000, 0)');
  const row = (await db('tel_reloads')
    .where({ instance })
    .first('is_wanted', 'transaction', { under_way_ms: underWay })) as Row | undefined;
  if (!row) return NONE;
  return { isWanted: row.is_wanted === 1, transaction: row.transaction, underWayMs: Number(row.under_way_ms) };
}

/** Whether changes wait for a reload, or one is running. */
export const isPending = ({ isWanted, transaction }: Reload): boolean => isWanted || transaction !== null;

export async function want(db: Knex, instance: string): Promise<void> {
  await db('tel_reloads').insert({ instance, is_wanted: true }).onConflict('instance').merge();
}

/**
 * Claims the next reload. Recorded before the PBX is called, so that a crash in between leaves a marker: of two
 * concurrent reloads one would fail. Returns false while a reload runs on the same PBX, which several instances may
 * share. Later changes need another reload.
 */
export async function claim(
  db: Knex,
  { uuid, address }: { readonly uuid: string; readonly address: string },
): Promise<boolean> {
  const there = (await db('tel_instances').where({ address }).pluck('uuid')) as string[];
  // Locked in a fixed order, so that two claims cannot deadlock.
  const rows = (await db('tel_reloads')
    .whereIn('instance', [uuid, ...there])
    .orderBy('instance')
    .forUpdate()
    .select('transaction')) as Pick<Row, 'transaction'>[];
  if (rows.some(({ transaction }) => transaction !== null)) return false;
  const claimed = { transaction: UNNAMED, is_wanted: false, begun_at: db.raw('NOW(3)') };
  await db('tel_reloads').where({ instance: uuid }).update(claimed);
  return true;
}

export async function begun(db: Knex, instance: string, transaction: string): Promise<void> {
  await db('tel_reloads').where({ instance }).update({ transaction });
}

/** No reload is running any more; if `isWanted`, its changes still wait for one. */
export async function over(db: Knex, instance: string, { isWanted = false } = {}): Promise<void> {
  const wanted = isWanted ? { is_wanted: true } : {};
  await db('tel_reloads')
    .where({ instance })
    .update({ transaction: null, begun_at: null, ...wanted });
}

export async function remove(db: Knex, instance: string): Promise<void> {
  await db('tel_reloads').where({ instance }).delete();
}
