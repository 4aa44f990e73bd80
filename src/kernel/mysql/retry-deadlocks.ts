/** The one retry of deadlocks. The work must be repeatable as a whole: a deadlock has rolled back all of it. */
import { setTimeout as wait } from 'node:timers/promises';
import { isDeadlock } from './outcome';

const MAX_ATTEMPTS = 4;
const PAUSE_MS = 10;

/** Runs the work at most four times, until it meets no deadlock or lock timeout, with growing random pauses. */
export async function retryDeadlocks<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || attempt === MAX_ATTEMPTS) throw error;
      await wait(PAUSE_MS * attempt * (0.5 + Math.random()));
    }
  }
}
