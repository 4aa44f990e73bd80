/**
 * A turn that calls the outside world: a job run by the worker that gets the lease, with a fence in MySQL. The caller
 * waits for the job's reply. If the holder dies, the lease expires and the job's next attempt takes over.
 */
import { consume, type Consumer } from '../jobs/consume';
import type { JobDefinition } from '../jobs/job';
import type { Kernel } from '../kernel';
import type { Tx } from '../mysql/transaction';
import type { Turn } from './actor';
import type { Address } from './address';
import { checkFence, raiseFence } from './fence';
import { withLease } from './lease';

export interface TurnContext {
  readonly kernel: Kernel;
  readonly address: Address;
  readonly fence: number;
  /** Whether the lease is lost or the process drains: the rest is better left to others. */
  isOver(): boolean;
  /** Writes only if no newer turn has begun. */
  commit<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

export interface Order<Input> {
  readonly address: Address;
  readonly input: Input;
}

export interface LeasedTurn<Input, Output> extends Turn<Input, Output> {
  /** What a worker process runs. */
  readonly consumer: Consumer<Order<Input>, Output>;
}

export function leasedTurn<Input, Output>(
  job: JobDefinition<Order<Input>, Output>,
  concurrency: number,
  run: (turn: TurnContext, input: Input) => Promise<Output>,
): LeasedTurn<Input, Output> {
  const owned = { whose: ({ address }: Order<Input>) => address.tenant, ...job };
  return {
    take: (kernel, address, input) => kernel.jobs.request(owned, { address, input }),
    consumer: consume(job, {
      concurrency,
      run: (kernel, { address, input }, { signal: draining }) =>
        takeLeased(kernel, address, draining, (turn) => run(turn, input)),
    }),
  };
}

/** Takes a turn in this process; throws Busy if another process is in the middle of one. */
export function takeLeased<Output>(
  kernel: Kernel,
  address: Address,
  draining: AbortSignal,
  run: (turn: TurnContext) => Promise<Output>,
): Promise<Output> {
  return withLease(kernel, address, async (lost) => {
    const fence = await raiseFence(kernel.mysql, address);
    return run({
      kernel,
      address,
      fence,
      isOver: () => lost.aborted || draining.aborted,
      commit: (work) =>
        kernel.transaction(async (tx) => {
          await checkFence(tx, address, fence);
          return work(tx);
        }),
    });
  });
}
