/** Wakes the worker of a mailbox for mail that comes in bursts. A wake may be lost: the sweep finds the mail. */
import { sleep } from '../deadline';
import type { Kernel } from '../kernel';
import { wakeOf, type AnyMailbox, type At } from './mailbox';

/** A wake costs as much as ten mails, and a busy worker finds new mail anyway. So pauses grow with the burst. */
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 100;

type WakeParts = Pick<Kernel, 'jobs' | 'lifecycle' | 'log'>;

export class BurstWakes {
  readonly #kernel: WakeParts;
  readonly #mailbox: AnyMailbox;
  /** Addresses whose worker is being woken, and whether more mail has come since. */
  readonly #waking = new Map<string, { isMore: boolean }>();

  constructor(kernel: WakeParts, mailbox: AnyMailbox) {
    this.#kernel = kernel;
    this.#mailbox = mailbox;
  }

  /** Does not wait, so that the sender is answered at once. The mail of a burst shares wakes. */
  wake(at: At): void {
    const waking = this.#waking.get(at.id);
    if (waking) waking.isMore = true;
    else void this.#keepWaking(at);
  }

  async #keepWaking(at: At): Promise<void> {
    const { jobs, lifecycle, log } = this.#kernel;
    const waking = { isMore: true };
    const { job, id, payload } = wakeOf(this.#mailbox, at);
    this.#waking.set(at.id, waking);
    try {
      for (let pauseMs = FIRST_PAUSE_MS; waking.isMore; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
        waking.isMore = false;
        await jobs.wakeOne(job, id, payload);
        await sleep(pauseMs, lifecycle.draining);
      }
    } catch (error) {
      log.debug({ error, mailbox: this.#mailbox.name }, 'could not wake a worker; the sweep will');
    } finally {
      this.#waking.delete(at.id);
    }
  }
}
