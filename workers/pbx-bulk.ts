/** Carries out orders of many extensions; a few at a time, so that single ones still find room. */
import type { Config } from '../config';
import { tenantOf } from '../src/kernel/actor/address';
import { Busy, withLease } from '../src/kernel/actor/lease';
import { consume, type Consumer } from '../src/kernel/jobs/consume';
import type { Kernel } from '../src/kernel/kernel';
import { openAnswers, type Answers } from '../src/telephony/actors/pbx-instance/answers';
import { carryOutBulk } from '../src/telephony/commands/order-many';
import { carryOutMany } from '../src/telephony/jobs';

const CONCURRENCY = 4;
/** Another worker is at the same order: look again after so long, in case that worker dies. */
const LOOK_AGAIN_MS = 3000;
const addressOf = (id: string) => ({ tenant: tenantOf('tel', 'bulks'), kind: 'bulk-order', id });

export function pbxBulk(config: Config): Consumer<{ readonly id: string }, void> {
  const opened = new WeakMap<Kernel, Answers>();
  return consume(carryOutMany, {
    concurrency: CONCURRENCY,
    async run(kernel, { id }, { signal }) {
      const answers = opened.get(kernel) ?? openAnswers(kernel);
      opened.set(kernel, answers);
      const desk = { kernel, answers, settings: config };
      try {
        const end = await withLease(kernel, addressOf(id), (lost) =>
          untilEither([signal, lost], (over) => carryOutBulk(desk, id, over)),
        );
        if (end === 'interrupted') throw new Busy('the process ends, or the lease is lost; another goes on');
      } catch (error) {
        throw error instanceof Busy ? new Busy(error.message, LOOK_AGAIN_MS) : error;
      }
    },
  });
}

/** Nothing is left on the signals afterwards: one of them lives as long as the process. */
async function untilEither<T>(signals: readonly AbortSignal[], work: (over: AbortSignal) => Promise<T>): Promise<T> {
  const either = new AbortController();
  const { signal: over } = either;
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
