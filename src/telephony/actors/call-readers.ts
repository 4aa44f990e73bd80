/** Wakes the readers of carriers' calls. A wake may be lost: the sweep finds calls that nobody reads. */
import { sleep } from '../../kernel/deadline';
import type { Kernel } from '../../kernel/kernel';
import { wakeOf } from '../../kernel/mailbox/mailbox';
import type { CarrierAccountId } from '../model/texting/texting';
import { carrierCalls } from './mailboxes';

/** A wake costs as much as ten calls, and a reader at work finds what comes: the longer a burst, the fewer it takes. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 100;

export class CallReaders {
  readonly #kernel: Pick<Kernel, 'jobs' | 'lifecycle' | 'log'>;
  /** Accounts whose reader is being woken, and whether more has come since. */
  readonly #waking = new Map<CarrierAccountId, { isMore: boolean }>();

  constructor(kernel: Pick<Kernel, 'jobs' | 'lifecycle' | 'log'>) {
    this.#kernel = kernel;
  }

  /** Not waited for: the carrier is answered at once, and the calls of a burst share wakes. */
  wake(accountId: CarrierAccountId): void {
    const waking = this.#waking.get(accountId);
    if (waking) waking.isMore = true;
    else void this.#keepWaking(accountId);
  }

  async #keepWaking(accountId: CarrierAccountId): Promise<void> {
    const { jobs, lifecycle, log } = this.#kernel;
    const waking = { isMore: true };
    const { job, id, payload } = wakeOf(carrierCalls, { id: accountId });
    this.#waking.set(accountId, waking);
    try {
      for (let pauseMs = FIRST_PAUSE_MS; waking.isMore; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
        waking.isMore = false;
        await jobs.wakeOne(job, id, payload);
        await sleep(pauseMs, lifecycle.draining);
      }
    } catch (error) {
      log.debug({ error }, 'could not wake the reader of calls');
    } finally {
      this.#waking.delete(accountId);
    }
  }
}
