/** A kernel for a worker that may freeze or die at any moment: between any two MySQL calls. */
import type { Kernel } from '../../../src/kernel/kernel';

/** Runs before every call: may wait, and throws once the worker is dead. */
export type Gate = () => Promise<void>;

type Thenable = { then: (...callbacks: never[]) => unknown };

/** Queries of knex run when they are awaited. */
function gated<T>(query: T, gate: Gate): T {
  const { then } = query as Thenable;
  Object.assign(query as object, {
    // oxlint-disable-next-line unicorn/no-thenable -- a query is one already
    then: (ok: never, no: never) =>
      gate().then(
        () => then.call(query, ok, no),
        (error: Error) => (no as (error: Error) => unknown)(error),
      ),
  });
  return query;
}

/** Transactions too: between any two of their statements. */
export function gatedDatabase<T extends Kernel['mysql']>(db: T, gate: Gate): T {
  const raw = (...asked: Parameters<typeof db.raw>) => gated(db.raw(...asked), gate);
  return new Proxy(db, {
    apply: (target, _this, asked: [string]) => gated(target(...asked), gate),
    get: (target, name) => (name === 'raw' ? raw : (Reflect.get(target, name) as unknown)),
  });
}

export function frailKernel(kernel: Kernel, gate: Gate, jobs: Partial<Kernel['jobs']>): Kernel {
  return {
    ...kernel,
    mysql: gatedDatabase(kernel.mysql, gate),
    jobs: { ...kernel.jobs, ...jobs } as Kernel['jobs'],
    async transaction(work) {
      await gate();
      return kernel.transaction(async (tx) => {
        const value = await work(tx);
        // The worst moment: everything is written, and nothing is committed.
        await gate();
        return value;
      });
    },
  };
}
