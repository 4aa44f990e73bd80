/**
 * Workers of release 0.1. They lease work in Redis and know nothing of the leases of mailboxes: a mailbox whose rows they
 * look at too rests until the last of them has ended, and only then takes over what was left to them. They are known by
 * their heartbeats, which lie where no other release puts any.
 */
import type { Kernel } from '../kernel';

/** So old what is known of them may be. */
const LOOK_MS = 1000;

type Parts = Pick<Kernel, 'namespace' | 'redis'>;

export class FormerWorkers {
  #isAnyThere: Promise<boolean> | undefined;
  #lookedAt = 0;

  /** Whether one of them runs, as far as was known a second ago. */
  areThere(parts: Parts): Promise<boolean> {
    const now = performance.now();
    if (!this.#isAnyThere || now - this.#lookedAt > LOOK_MS) {
      this.#lookedAt = now;
      this.#isAnyThere = look(parts);
      // Whoever asks next looks again.
      this.#isAnyThere.catch(() => (this.#isAnyThere = undefined));
    }
    return this.#isAnyThere;
  }
}

async function look({ namespace, redis: { commands } }: Parts): Promise<boolean> {
  // That release does not run on a cluster.
  if (commands.isCluster) return false;
  const ids = await commands.smembers(`${namespace}:workers`);
  if (ids.length === 0) return false;
  return (await commands.exists(...ids.map((id) => `${namespace}:worker:${id}`))) > 0;
}
