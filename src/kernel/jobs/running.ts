/** The jobs that this process runs, by queue: for its heartbeat, and to tell a stalled worker from an idle one. */
import { openCounters, type JobCounters } from './counters';

export interface RunningJob {
  readonly id: string;
  readonly since: number;
  readonly payload: unknown;
}

export interface WorkerSlot {
  readonly queue: string;
  readonly concurrency: number;
  readonly running: Map<string, RunningJob>;
  readonly counters: JobCounters;
  /** How many jobs it has taken in all. */
  taken: number;
}

export class RunningJobs {
  readonly #slots = new Map<string, WorkerSlot>();

  /** Called once for each queue that this process works on. */
  open(queue: string, concurrency: number): WorkerSlot {
    const slot = { queue, concurrency, running: new Map<string, RunningJob>(), counters: openCounters(), taken: 0 };
    this.#slots.set(queue, slot);
    return slot;
  }

  list(): WorkerSlot[] {
    return [...this.#slots.values()];
  }
}
