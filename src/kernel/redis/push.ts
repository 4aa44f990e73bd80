/** Sends commands that publish on the connection that receives the pushes. */
import type { Redis } from 'ioredis';
import { DeadlineExceeded, withDeadline } from '../deadline';
import { isCluster } from './cluster';

interface PushParts {
  readonly commands: Redis;
  readonly subscriber: Redis;
  readonly deadlineMs: number;
  readonly silenceMs: number;
}

export function openPushing({ commands, subscriber, deadlineMs, silenceMs }: PushParts) {
  const protocol = watchProtocol(subscriber);
  let isSilent = false;
  /** A subscriber that does not answer gets no pushes either: if it stays silent, it reconnects. */
  function waitForSubscriber(): void {
    isSilent = true;
    // A connection that is being opened is left alone: ioredis would give it up for good.
    const giveUp = setTimeout(() => subscriber.status === 'ready' && subscriber.disconnect(true), silenceMs);
    const heard = () => {
      clearTimeout(giveUp);
      isSilent = false;
    };
    subscriber.ping().then(heard, heard);
  }
  async function push<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    // A cluster's subscriber is at one node, which rarely has the keys of the command.
    const cannot = isCluster(commands) || isSilent || subscriber.status !== 'ready' || !protocol.marksPushes();
    if (cannot) return command(commands);
    try {
      return await withDeadline('Redis', deadlineMs, command(subscriber));
    } catch (error) {
      if (error instanceof DeadlineExceeded && !isSilent) waitForSubscriber();
      throw error;
    }
  }
  /** `isKnown` resolves when it is known whether the subscriber can take commands. */
  return { push, isKnown: protocol.isKnown };
}

/** Asks each new connection for its protocol version. */
function watchProtocol(redis: Redis) {
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
  // Only RESP3 separates replies from pushes. ioredis falls back to RESP2.
  return { marksPushes: () => version === 3, isKnown };
}

export function becomesReady(redis: Redis): Promise<void> {
  return new Promise((resolve) => (redis.status === 'ready' ? resolve() : redis.once('ready', () => resolve())));
}
