/** Whether a connection can take commands while it is subscribed, which requires RESP3. */
import type { Redis } from 'ioredis';

export interface Protocol {
  /** Whether this connection separates replies from pushes, as only RESP3 does. ioredis falls back to RESP2. */
  marksPushes(): boolean;
  /** Resolves when the version of the first connection is known. */
  readonly isKnown: Promise<void>;
}

/** Asks each new connection for its protocol version. */
export function watchProtocol(redis: Redis): Protocol {
  let version = 0;
  async function ask(): Promise<void> {
    version = 0;
    try {
      const facts = (await redis.call('HELLO')) as unknown[];
      version = Number(facts[facts.indexOf('proto') + 1]);
    } catch {
      // A subscribed RESP2 connection refuses this command, and an old server does not know it.
    }
  }
  const isKnown = becomesReady(redis).then(ask);
  void isKnown.then(() => redis.on('ready', () => void ask()));
  return { marksPushes: () => version === 3, isKnown };
}

export function becomesReady(redis: Redis): Promise<void> {
  return new Promise((resolve) => (redis.status === 'ready' ? resolve() : redis.once('ready', () => resolve())));
}
