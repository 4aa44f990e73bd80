/** Operations that still need work: those left by dead workers, and those being undone. */
import type { Knex } from 'knex';
import { mailWaits } from '../../../kernel/mailbox/kernel-mail';
import type { OperationState } from '../../model/extensions/operation';
import type { OwnedInstance } from '../sites/sites';

const MICROSECONDS = 1000;
const MAX_AT_ONCE = 200;
const inMs = (db: Knex, milliseconds: number) =>
  db.raw('NOW(3) + INTERVAL ? MICROSECOND', [Math.round(milliseconds * MICROSECONDS)]);

/** Schedules the next attempt to undo an operation. */
export async function postpone(db: Knex, number: number, milliseconds: number): Promise<void> {
  await db('tel_operations')
    .where({ number, state: 'undoing' })
    .update({ next_try_at: inMs(db, milliseconds) });
}

/** Ends an undo once the operation's last call is longer ago than a PBX may act late. Returns whether it ended. */
export async function undone(db: Knex, number: number, lateMs: number): Promise<boolean> {
  const changed = await db('tel_operations')
    .where({ number, state: 'undoing' })
    .where('called_at', '<', inMs(db, -lateMs))
    .update({ state: 'failed' });
  return changed === 1;
}

/** The pause doubles with each attempt, up to ten minutes. */
const AFTER_FAILURE = 'NOW(3) + INTERVAL MIN(3 * POW(2, attempts), 600) SECOND';
const MAX_DETAIL_LENGTH = 500;

/** Records a failed attempt to undo: it is retried, but not for ever. Returns whether that was the last attempt. */
export async function failUndo(
  db: Knex,
  number: number,
  { most, reason }: { readonly most: number; readonly reason: string },
): Promise<boolean> {
  await db('tel_operations')
    .where({ number, state: 'undoing' })
    .update({ next_try_at: db.raw(AFTER_FAILURE), attempts: db.raw('attempts + 1') });
  const last = db('tel_operations').where({ number, state: 'undoing' }).where('attempts', '>=', most);
  const detail = db.raw('LEFT(CONCAT_WS(?, detail, ?), ?)', [
    '; ',
    `it could not be undone: ${reason}`,
    MAX_DETAIL_LENGTH,
  ]);
  return (await last.update({ state: 'stuck', detail })) === 1;
}

/** The numbers on an instance with unfinished orders, and whether the last of each is being undone. */
export async function unsettledNumbers(db: Knex, instance: string): Promise<Map<number, OperationState>> {
  const open = (await db('tel_operations')
    .where({ instance })
    .whereIn('state', ['pending', 'running', 'undoing'])
    .orderBy('number')
    .select('extension_number', 'state')) as { extension_number: number; state: OperationState }[];
  return new Map(open.map(({ extension_number: number, state }) => [number, state]));
}

export interface StuckOperation {
  readonly number: number;
  readonly detail: string;
}

/** The numbers whose last order failed and could not be undone. */
export async function stuckOn(db: Knex, instance: string): Promise<StuckOperation[]> {
  const later = db('tel_operations as later')
    .whereRaw('later.instance = o.instance AND later.extension_number = o.extension_number')
    .whereRaw('later.number > o.number')
    .where('later.state', 'succeeded');
  return (await db('tel_operations as o')
    .where({ 'o.instance': instance, 'o.state': 'stuck' })
    .whereNotExists(later)
    .orderBy('o.extension_number')
    .limit(MAX_AT_ONCE)
    .select({ number: 'o.extension_number', detail: db.raw("COALESCE(o.detail, '')") })) as StuckOperation[];
}

/** Ends undos that were given up, except for numbers in which PBX and database still differ. */
export async function settleStuck(db: Knex, instance: string, different: readonly number[]): Promise<void> {
  await db('tel_operations')
    .where({ instance, state: 'stuck' })
    .whereNotIn('extension_number', different)
    .update({ state: 'failed' });
}

/** Undoes them once more, or leaves them as they are. Returns the ids of those that were stuck. */
export async function changeStuck(db: Knex, ids: readonly string[], isOnceMore: boolean): Promise<string[]> {
  const found = (await db('tel_operations')
    .whereIn('id', ids)
    .where({ state: 'stuck' })
    .forUpdate()
    .pluck('id')) as string[];
  const once = { state: 'undoing', attempts: 0, next_try_at: db.raw('NOW(3)') };
  await db('tel_operations')
    .whereIn('id', found)
    .update(isOnceMore ? once : { state: 'failed' });
  return found;
}

/** Filters ids and markers to those of this instance's operations. */
export async function ownAmong(db: Knex, instance: string, writers: readonly string[]): Promise<Set<string>> {
  const [ids, marks] = (await Promise.all(
    ['id', 'mark'].map((name) => db('tel_operations').where({ instance }).whereIn(name, writers).pluck(name)),
  )) as [string[], string[]];
  return new Set([...ids, ...marks]);
}

/** Instances with work that is due, or unattended for long, and without pending mail. */
export async function instancesWithStale(db: Knex, mailbox: string): Promise<OwnedInstance[]> {
  return (await db('tel_operations as o')
    .whereIn('o.state', ['pending', 'running', 'undoing'])
    .where('o.next_try_at', '<=', db.raw('NOW(3)'))
    .whereNotExists(mailWaits(db, mailbox, 'o.instance'))
    .distinct('o.instance', { companyId: 'o.company_id' })
    .limit(MAX_AT_ONCE)) as OwnedInstance[];
}

/** Deletes finished operations after the time for which clients may query them. */
export async function forgetOld(db: Knex, keepMs: number, most: number): Promise<number> {
  return db('tel_operations')
    .whereIn('state', ['succeeded', 'failed'])
    .where('finished_at', '<', inMs(db, -keepMs))
    .limit(most)
    .delete();
}
