/** Carries out orders of many extensions; a few at a time, so that single ones still find room. */
import { setMaxListeners } from 'node:events';
import { tenantOf } from '../../kernel/actor/address';
import { Busy, withLease } from '../../kernel/actor/lease';
import { consume } from '../../kernel/jobs/consume';
import { carryOutBulk } from '../commands/order-many';
import { carryOutMany } from '../jobs';
import type { Telephony } from '../parts';

const CONCURRENCY = 4;
/** Another worker is at the same order: look again after so long, in case that worker dies. */
const LOOK_AGAIN_MS = 3000;
const addressOf = (id: string) => ({ tenant: tenantOf('tel', 'bulks'), kind: 'bulk-order', id });

export const pbxBulk = (telephony: Telephony) =>
  consume(carryOutMany, {
    concurrency: CONCURRENCY,
    async run(kernel, { id }, { signal }) {
      try {
        const end = await withLease(kernel, addressOf(id), (lost) =>
          untilEither([signal, lost], (over) => carryOutBulk(telephony, id, over)),
        );
        if (end === 'interrupted') throw new Busy('the process ends, or the lease is lost; another goes on');
      } catch (error) {
        throw error instanceof Busy ? new Busy(error.message, LOOK_AGAIN_MS) : error;
      }
    },
  });

/** Nothing is left on the signals afterwards: one of them lives as long as the process. */
async function untilEither<T>(signals: readonly AbortSignal[], work: (over: AbortSignal) => Promise<T>): Promise<T> {
  const either = new AbortController();
  const { signal: over } = either;
  // Every row that is under way listens to it.
  setMaxListeners(0, over);
  for (const each of signals) {
    if (each.aborted) either.abort();
    each.addEventListener('abort', () => either.abort(), { signal: over });
  }
  try {
    return await work(over);
  } finally {
    either.abort();
  }
}
