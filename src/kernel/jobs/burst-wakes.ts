/** Wakes workers for work that comes in bursts. A wake may be lost: the sweep finds the work. */
import { sleep } from '../deadline';
import type { Log } from '../log';
import type { WakeOrder } from './job';

/** A wake costs as much as ten mails, and a busy worker finds new mail anyway. So pauses grow with the burst. */
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 100;

export interface BurstWakeParts {
  readonly wakeNow: (order: WakeOrder) => Promise<void>;
  readonly draining: AbortSignal;
  readonly log: Log;
}

export class BurstWakes {
  readonly #parts: BurstWakeParts;
  /** The ids whose worker is being woken, and whether more work has come since. */
  readonly #waking = new Map<string, { isMore: boolean }>();

  constructor(parts: BurstWakeParts) {
    this.#parts = parts;
  }

  /** Does not wait, so that the sender is answered at once. The work of a burst shares wakes. */
  wake(order: WakeOrder): void {
    const key = `${order.job.name}/${order.id}`;
    const waking = this.#waking.get(key);
    if (waking) waking.isMore = true;
    else void this.#keepWaking(key, order);
  }

  async #keepWaking(key: string, order: WakeOrder): Promise<void> {
    const { wakeNow, draining, log } = this.#parts;
    const waking = { isMore: true };
    this.#waking.set(key, waking);
    try {
      for (let pauseMs = FIRST_PAUSE_MS; waking.isMore; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
        waking.isMore = false;
        await wakeNow(order);
        await sleep(pauseMs, draining);
      }
    } catch (error) {
      log.debug({ error, queue: order.job.name }, 'could not wake a worker; the sweep will');
    } finally {
      this.#waking.delete(key);
    }
  }
}
