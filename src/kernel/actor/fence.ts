/** The number that makes a leased turn safe: raised in MySQL at its start, compared in every transaction it writes. */
import type { Kernel } from '../kernel';
import { commitStatements, type Query, type Statement } from '../mysql/deliver-packet';
import type { Database } from '../mysql/pool';
import { send, type Rows } from '../mysql/direct';
import type { Tx } from '../mysql/transaction';
import { addressText, type Address } from './address';

/** A newer turn for the same address has begun; this one must not write any more. */
export class Superseded extends Error {
  constructor(address: Address | string) {
    super(`a newer turn has begun for ${typeof address === 'string' ? address : addressText(address)}`);
    this.name = 'Superseded';
  }
}

const RAISE =
  'INSERT INTO kernel_fences (address, fence) VALUES (?, LAST_INSERT_ID(1)) ' +
  'ON DUPLICATE KEY UPDATE fence = LAST_INSERT_ID(fence + 1); SELECT LAST_INSERT_ID() AS fence';

export interface Raised {
  readonly fence: number;
  /** What was read behind it, by statement. */
  readonly read: readonly Rows[];
}

/** What a turn has to know first is read behind its fence, when no older one writes any more, in the same round trip. */
export async function raiseFence(db: Database, address: Address, reads: readonly Statement[] = []): Promise<Raised> {
  const [, [raised], ...read] = (await send(db, [RAISE, ...reads.map(({ sql }) => sql)].join('; '), [
    addressText(address),
    ...reads.flatMap(({ bindings }) => bindings),
  ])) as [unknown, [{ fence: number }], ...Rows[]];
  return { fence: raised.fence, read };
}

/** Holds the fence in share mode until the transaction ends, so that no newer turn begins before it has. */
export async function checkFence(tx: Tx, address: Address, fence: number): Promise<void> {
  const row: unknown = await tx
    .db('kernel_fences')
    .where({ address: addressText(address), fence })
    .forShare()
    .first('fence');
  if (row === undefined) throw new Superseded(address);
}

/** For the statements after the first: true if that changed a row. */
export const FIRST_CHANGED = '@changed = 1';

/**
 * Writes in one round trip what checkFence and a transaction write in many. The first statement, an UPDATE, decides: the
 * others, which say FIRST_CHANGED, are to run only if it changed a row. Says whether it did.
 */
export async function fencedPacket(
  { kernel, address, fence }: { readonly kernel: Kernel; readonly address: Address; readonly fence: number },
  first: Query,
  then: readonly Statement[],
): Promise<boolean> {
  const held: Statement = {
    sql: 'SET @fence = (SELECT fence FROM kernel_fences WHERE address = ? AND fence = ? LOCK IN SHARE MODE)',
    bindings: [addressText(address), fence],
  };
  const changed: Statement = { sql: 'SET @changed = ROW_COUNT()', bindings: [] };
  const told: Statement = { sql: 'SELECT @fence AS fence, @changed AS changed', bindings: [] };
  const all = [held, first.whereRaw('@fence IS NOT NULL').toSQL(), changed, ...then, told];
  const replies = await commitStatements(kernel, all);
  const [came] = replies.at(-1) as [{ fence: number | null; changed: number }];
  if (came.fence === null) throw new Superseded(address);
  return Number(came.changed) === 1;
}
