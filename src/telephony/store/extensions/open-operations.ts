/** Operations that still need work: those left by dead workers, and those being undone. */
import type { Knex } from 'knex';
import { mailWaits } from '../../../kernel/mailbox/kernel-mail';
import type { OwnedInstance } from '../sites/sites';

const MICROSECONDS = 1000;
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

const AFTER_FAILURE_MS = 3000;

/**
 * Records that undoing failed on our side: it is retried, but not for ever. Returns whether that was the last attempt.
 */
export async function failUndo(db: Knex, number: number, most: number): Promise<boolean> {
  await db('tel_operations')
    .where({ number, state: 'undoing' })
    .update({ attempts: db.raw('attempts + 1'), next_try_at: inMs(db, AFTER_FAILURE_MS) });
  const given = db('tel_operations').where({ number, state: 'undoing' }).where('attempts', '>=', most);
  return (await given.update({ state: 'failed' })) === 1;
}

/** The numbers on an instance with unfinished orders. */
export async function unsettledNumbers(db: Knex, instance: string): Promise<Set<number>> {
  const numbers = (await db('tel_operations')
    .where({ instance })
    .whereIn('state', ['pending', 'running', 'undoing'])
    .pluck('extension_number')) as number[];
  return new Set(numbers);
}

/** Filters ids and markers to those of this instance's operations. */
export async function ownAmong(db: Knex, instance: string, writers: readonly string[]): Promise<Set<string>> {
  const [ids, marks] = (await Promise.all(
    ['id', 'mark'].map((name) => db('tel_operations').where({ instance }).whereIn(name, writers).pluck(name)),
  )) as [string[], string[]];
  return new Set([...ids, ...marks]);
}

const MOST_AT_ONCE = 200;

/** Instances with work that is due, or unattended for long, and without pending mail. */
export async function instancesWithStale(db: Knex, mailbox: string): Promise<OwnedInstance[]> {
  return (await db('tel_operations as o')
    .whereIn('o.state', ['pending', 'running', 'undoing'])
    .where('o.next_try_at', '<=', db.raw('NOW(3)'))
    .whereNotExists(mailWaits(db, mailbox, 'o.instance'))
    .distinct('o.instance', { companyId: 'o.company_id' })
    .limit(MOST_AT_ONCE)) as OwnedInstance[];
}

/** Deletes finished operations after the time for which clients may query them. */
export async function forgetOld(db: Knex, keepMs: number, most: number): Promise<number> {
  return db('tel_operations')
    .whereIn('state', ['succeeded', 'failed'])
    .where('finished_at', '<', inMs(db, -keepMs))
    .limit(most)
    .delete();
}
