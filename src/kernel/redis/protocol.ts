/** Whether a connection can take commands while it listens, which only version 3 of the protocol lets it. */
import type { Redis } from 'ioredis';

export interface Protocol {
  /** Whether this connection tells replies from pushes, which only RESP3 does. ioredis falls back to RESP2 by itself. */
  marksPushes(): boolean;
  /** Resolves when the first connection has told its version. */
  readonly isKnown: Promise<void>;
}

/** Asks each new connection which version of the protocol it speaks. */
export function watchProtocol(redis: Redis): Protocol {
  let version = 0;
  async function ask(): Promise<void> {
    version = 0;
    try {
      const facts = (await redis.call('HELLO')) as unknown[];
      version = Number(facts[facts.indexOf('proto') + 1]);
    } catch {
      // A connection of RESP2 that has subscriptions takes no such command, and an old server does not know it.
    }
  }
  const isKnown = becomesReady(redis).then(ask);
  void isKnown.then(() => redis.on('ready', () => void ask()));
  return { marksPushes: () => version === 3, isKnown };
}

export function becomesReady(redis: Redis): Promise<void> {
  return new Promise((resolve) => (redis.status === 'ready' ? resolve() : redis.once('ready', () => resolve())));
}
