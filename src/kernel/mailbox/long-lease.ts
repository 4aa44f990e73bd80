/** A lease that one process holds for as long as it can: for work without an end, such as listening to another server. */
import type { Kernel } from '../kernel';
import type { Statement } from '../mysql/commit-statements';
import type { PacketReply } from '../mysql/packet';
import type { Tx } from '../mysql/transaction';
import { heldPacket, keep, progressing, release, Superseded, take } from './lease';

export { expiredAmong, Superseded, WHILE_HELD } from './lease';

type Parts = Pick<Kernel, 'mysql' | 'pause' | 'settings' | 'transaction'>;

export interface LongLease {
  /** Aborted when another process has taken over. */
  readonly lost: AbortSignal;
  /** To be called at least every third of `leaseMs`. Statements that write must contain WHILE_HELD. */
  extend(statements: readonly Statement[]): Promise<readonly PacketReply[]>;
  /** Writes only while nobody else has taken over; otherwise it throws Superseded. */
  readonly commit: <T>(write: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Lets another process take over at once. */
  release(): Promise<void>;
}

/** Undefined while another process holds it. */
export async function takeLong(kernel: Parts, address: string): Promise<LongLease | undefined> {
  const { leaseMs } = kernel.settings;
  const taken = await take(kernel.mysql, address, leaseMs, []);
  if ('leftMs' in taken) return undefined;
  const { lease } = taken;
  const losing = new AbortController();
  const noteLoss = (error: unknown): never => {
    if (error instanceof Superseded) losing.abort();
    throw error;
  };
  return {
    lost: losing.signal,
    extend: (statements) =>
      heldPacket(kernel, progressing(kernel.mysql, lease, leaseMs), lease, statements).catch(noteLoss),
    commit: (write) =>
      kernel
        .transaction(async (tx) => {
          if (!(await keep(tx.db, lease, leaseMs))) throw new Superseded(address);
          return write(tx);
        })
        .catch(noteLoss),
    release: async () => void (await release(kernel.mysql, lease)),
  };
}
