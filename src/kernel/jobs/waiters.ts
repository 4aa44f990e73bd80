/** Everyone in this process who waits for a job: woken by queue events, and by looking at the rows in case one is lost. */
import { Fault } from '../fault';
import type { Log } from '../log';
import type { Database } from '../mysql/pool';
import { finishedAmong, readAnswer, type Answer } from './asks';

export interface Waiters {
  /** Waits for the answer until the deadline, then gives up: nobody knows whether the job is done. */
  wait<T>(id: string, deadlineMs: number): Promise<T>;
  /** A job ended: look at its row now. */
  wake(id: string): void;
  readonly size: number;
  close(): void;
}

export function openWaiters(db: Database, pollMs: number, log: Log): Waiters {
  const waiting = new Map<string, { settle(answer: Answer): void; giveUp(fault: Fault): void }>();
  let timer: NodeJS.Timeout | undefined;

  async function look(ids: readonly string[]): Promise<void> {
    try {
      for (const answer of await finishedAmong(db, ids)) waiting.get(answer.id)?.settle(answer);
    } catch (error) {
      log.warn({ error }, 'could not look for answers; trying again');
    }
  }

  function poll(): void {
    timer ??= setTimeout(() => void lookAtAll(), pollMs);
  }

  async function lookAtAll(): Promise<void> {
    await look([...waiting.keys()]);
    timer = undefined;
    if (waiting.size > 0) poll();
  }

  return {
    wait<T>(id: string, deadlineMs: number) {
      return new Promise<T>((resolve, reject) => {
        const leave = () => {
          clearTimeout(deadline);
          waiting.delete(id);
        };
        const deadline = setTimeout(() => {
          leave();
          reject(new Fault('timeout', 'No answer in time; it may still be done', { code: 'NO_ANSWER' }));
        }, deadlineMs);
        waiting.set(id, {
          settle(answer) {
            leave();
            try {
              resolve(readAnswer<T>(answer));
            } catch (fault) {
              reject(fault as Fault);
            }
          },
          giveUp(fault) {
            leave();
            reject(fault);
          },
        });
        poll();
      });
    },
    wake(id) {
      if (waiting.has(id)) void look([id]);
    },
    get size() {
      return waiting.size;
    },
    close() {
      clearTimeout(timer);
      for (const waiter of waiting.values()) waiter.giveUp(new Fault('unavailable', 'The server is shutting down'));
    },
  };
}
