/** The fence that makes a leased turn safe: raised in MySQL when it starts, checked in every transaction it writes. */
import type { Database } from '../mysql/pool';
import { send } from '../mysql/direct';
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

/** Returns the fence of a new turn. Older turns can no longer write. */
export async function raiseFence(db: Database, address: Address): Promise<number> {
  const [, [raised]] = (await send(db, RAISE, [addressText(address)])) as [unknown, [{ fence: number }]];
  return raised.fence;
}

/** Holds the fence in share mode until the transaction ends, so that no newer turn begins before that. */
export async function checkFence(tx: Tx, address: Address, fence: number): Promise<void> {
  const row: unknown = await tx
    .db('kernel_fences')
    .where({ address: addressText(address), fence })
    .forShare()
    .first('fence');
  if (row === undefined) throw new Superseded(address);
}
