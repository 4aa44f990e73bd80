/**
 * The lease on an address: the exclusive right to handle its mail for a while. It is a row in MySQL, by MySQL's clock.
 * The holder's random name is the fence: every transaction of a turn compares it first. A holder keeps an expired lease
 * until another worker takes it, so a slow worker is not mistaken for a dead one. Even if Redis loses everything, no
 * lease is held twice.
 */
import type { Knex } from 'knex';
import { newId } from '../id';
import type { Clearing } from '../jobs/sweeper';
import type { Kernel } from '../kernel';
import { commitStatements, type Statement } from '../mysql/commit-statements';
import type { PacketReply } from '../mysql/packet';
import { send, type Rows } from '../mysql/direct';
import { retryDeadlocks } from '../mysql/retry-deadlocks';
import { ago } from '../mysql/sql-parts';
import type { AnyMailbox } from './mailbox';

/** Another worker has taken over; this one must not write any more. */
export class Superseded extends Error {
  constructor(address: string) {
    super(`another worker has taken over ${address}`);
    this.name = 'Superseded';
  }
}

const TABLE = 'kernel_mailbox_leases';
const MICROSECONDS = 1000;
const UNTIL = 'NOW(3) + INTERVAL ? MICROSECOND';

/** MySQL assigns from left to right, and each assignment sees those before it. */
const TAKE =
  `INSERT INTO ${TABLE} (address, holder, held_until, takeovers) VALUES (?, ?, ${UNTIL}, 0) ON DUPLICATE KEY UPDATE ` +
  'takeovers = IF(held_until <= NOW(3), takeovers + 1, takeovers), ' +
  'holder = IF(held_until <= NOW(3), VALUES(holder), holder), ' +
  'held_until = IF(holder = VALUES(holder), VALUES(held_until), held_until)';
const LOOK =
  'SELECT holder, takeovers, TIMESTAMPDIFF(MICROSECOND, NOW(3), held_until) AS left_us ' +
  `FROM ${TABLE} WHERE address = ?`;

export interface Lease {
  readonly address: string;
  readonly holder: string;
  /** How many holders in a row died or hung before one of them finished anything. */
  readonly takeovers: number;
}

export type Taken = { readonly lease: Lease; readonly read: readonly Rows[] } | { readonly leftMs: number };

export const leaseAddress = ({ name }: AnyMailbox, id: string): string => `${name}/${id}`;

/** `reads` run after the lease is taken, in the same round trip. */
export async function take(db: Knex, address: string, forMs: number, reads: readonly Statement[]): Promise<Taken> {
  const holder = newId();
  const sql = [TAKE, LOOK, ...reads.map((read) => read.sql)].join('; ');
  const bindings = [address, holder, forMs * MICROSECONDS, address, ...reads.flatMap((read) => read.bindings)];
  const [, [row], ...read] = (await retryDeadlocks(() => send(db, sql, bindings))) as [
    unknown,
    [{ holder: string; takeovers: number; left_us: number } | undefined],
    ...Rows[],
  ];
  // Already deleted: its holder has just finished.
  if (!row) return { leftMs: 0 };
  if (row.holder !== holder) return { leftMs: Math.max(0, row.left_us / MICROSECONDS) };
  return { lease: { address, holder, takeovers: row.takeovers }, read };
}

const own = (db: Knex, { address, holder }: Lease) => db(TABLE).where({ address, holder });

/** Extends the lease; false if it is no longer ours. In a transaction it is the fence: nobody takes it meanwhile. */
export const keep = async (db: Knex, lease: Lease, forMs: number): Promise<boolean> =>
  (await keeping(db, lease, forMs)) === 1;

export const keeping = (db: Knex, lease: Lease, forMs: number): Knex.QueryBuilder<object, number> =>
  own(db, lease).update({ held_until: db.raw(`GREATEST(held_until, ${UNTIL})`, [forMs * MICROSECONDS]) });

/** The same, and resets the takeovers because something is finished. */
export const progress = async (db: Knex, lease: Lease, forMs: number): Promise<boolean> =>
  (await progressing(db, lease, forMs)) === 1;

export const progressing = (db: Knex, lease: Lease, forMs: number): Knex.QueryBuilder<object, number> =>
  own(db, lease).update({ held_until: db.raw(UNTIL, [forMs * MICROSECONDS]), takeovers: 0 });

/** A condition for packet statements that may run only while the lease is held. */
export const WHILE_HELD = '@held = 1';

/** A transaction in one round trip that first extends the lease. Its statements must contain WHILE_HELD. */
export async function heldPacket(
  kernel: Pick<Kernel, 'mysql' | 'pause'>,
  extending: Knex.QueryBuilder,
  lease: Lease,
  statements: readonly Statement[],
): Promise<readonly PacketReply[]> {
  const held: Statement = { sql: 'SET @held = ROW_COUNT()', bindings: [] };
  const isHeldStill: Statement = { sql: 'SELECT @held AS held', bindings: [] };
  const replies = await commitStatements(kernel, [extending.toSQL(), held, ...statements, isHeldStill]);
  const [{ held: isHeld }] = replies.at(-1) as [{ held: number }];
  if (Number(isHeld) !== 1) throw new Superseded(lease.address);
  return replies.slice(2, -1);
}

/** Whether a worker handles the mail of an address now. */
export async function isHeld(db: Knex, address: string): Promise<boolean> {
  const row: unknown = await db(TABLE).where({ address }).where('held_until', '>', db.raw('NOW(3)')).first('holder');
  return row !== undefined;
}

/** The holders of expired leases among these addresses: each has died or hangs. */
export async function expiredAmong(db: Knex, addresses: readonly string[]): Promise<Map<string, string>> {
  const rows = (await db(TABLE)
    .whereIn('address', addresses)
    .where('held_until', '<=', db.raw('NOW(3)'))
    .select('address', 'holder')) as { address: string; holder: string }[];
  return new Map(rows.map(({ address, holder }) => [address, holder]));
}

export const release = (db: Knex, lease: Lease): Promise<unknown> =>
  retryDeadlocks(async () => own(db, lease).delete());

const DAY_MS = 24 * 3_600_000;

/** Leases of dead holders whose addresses nobody came back to. */
export const abandonedLeases: Clearing = {
  table: TABLE,
  key: 'address',
  old: (db) => [db(TABLE).where('held_until', '<', ago(db, DAY_MS))],
};
