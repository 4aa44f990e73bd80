/** Distinguishes a stalled worker from an idle one: jobs wait, it has free capacity, and it takes none. */

/** The state of one queue at one moment. */
export interface Look {
  readonly queue: string;
  /** The job that waits longest; null if none waits. */
  readonly oldestWaiting: string | null;
  readonly isPaused: boolean;
  /** How many jobs this worker has taken in all. */
  readonly taken: number;
  readonly hasHandsFree: boolean;
}

export interface StallDetection {
  /** Queues that should have been served for at least the configured time, but were not. */
  observe(looks: readonly Look[], now: number): string[];
}

export function openStallDetection(afterMs: number): StallDetection {
  const suspicions = new Map<string, { look: Look; since: number }>();

  return {
    observe(looks, now) {
      for (const look of looks) {
        const before = suspicions.get(look.queue);
        if (look.oldestWaiting === null || look.isPaused || !look.hasHandsFree) suspicions.delete(look.queue);
        else if (!before || before.look.taken !== look.taken || before.look.oldestWaiting !== look.oldestWaiting) {
          suspicions.set(look.queue, { look, since: now });
        }
      }
      return [...suspicions].filter(([, { since }]) => now - since >= afterMs).map(([queue]) => queue);
    },
  };
}
