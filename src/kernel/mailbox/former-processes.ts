/**
 * Detects workers and nodes of release 0.1. Its workers lease work in Redis and know nothing of mailbox leases. So a
 * mailbox that shares rows with them pauses until the last of them has ended, and then adopts their remaining work. The
 * processes are recognised by their heartbeats, whose keys no other release uses.
 */
import type { Kernel } from '../kernel';
import { isCluster } from '../redis/cluster';

/** How long a result is cached. */
const LOOK_MS = 1000;

type Parts = Pick<Kernel, 'namespace' | 'redis'>;
type Kind = 'worker' | 'node';

export class FormerProcesses {
  readonly #kind: Kind;
  #isAnyThere: Promise<boolean> | undefined;
  #lookedAt = 0;

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  /** Whether one of them runs, as of at most a second ago. */
  areThere(parts: Parts): Promise<boolean> {
    const now = performance.now();
    if (!this.#isAnyThere || now - this.#lookedAt > LOOK_MS) {
      this.#lookedAt = now;
      this.#isAnyThere = look(parts, this.#kind);
      // The next call looks again.
      this.#isAnyThere.catch(() => (this.#isAnyThere = undefined));
    }
    return this.#isAnyThere;
  }
}

async function look({ namespace, redis: { commands } }: Parts, kind: Kind): Promise<boolean> {
  // Release 0.1 does not run on a cluster.
  if (isCluster(commands)) return false;
  const ids = await commands.smembers(`${namespace}:${kind}s`);
  if (ids.length === 0) return false;
  return (await commands.exists(...ids.map((id) => `${namespace}:${kind}:${id}`))) > 0;
}
