/** Commands that push, given to the connection that hears the pushes. */
import type { Redis } from 'ioredis';
import { DeadlineExceeded, withDeadline } from '../deadline';
import { watchProtocol } from './protocol';

export interface Pushing {
  readonly push: <T>(command: (redis: Redis) => Promise<T>) => Promise<T>;
  /** Resolves when it is known whether the subscriber can take commands. */
  readonly isKnown: Promise<void>;
}

export interface PushParts {
  readonly commands: Redis;
  readonly subscriber: Redis;
  readonly deadlineMs: number;
  readonly silenceMs: number;
}

export function openPushing({ commands, subscriber, deadlineMs, silenceMs }: PushParts): Pushing {
  const protocol = watchProtocol(subscriber);
  let isSilent = false;
  /** One that does not answer does not hear pushes either: if it stays so, another connection is made. */
  function waitForSubscriber(): void {
    isSilent = true;
    // One that is being made is left alone: ioredis would give it up for good.
    const giveUp = setTimeout(() => subscriber.status === 'ready' && subscriber.disconnect(true), silenceMs);
    const heard = () => {
      clearTimeout(giveUp);
      isSilent = false;
    };
    subscriber.ping().then(heard, heard);
  }
  return {
    isKnown: protocol.isKnown,
    async push(command) {
      // The subscriber of a cluster stands at one node, which seldom has the keys of the command.
      const cannot = commands.isCluster || isSilent || subscriber.status !== 'ready' || !protocol.marksPushes();
      if (cannot) return command(commands);
      try {
        return await withDeadline('Redis', deadlineMs, command(subscriber));
      } catch (error) {
        if (error instanceof DeadlineExceeded && !isSilent) waitForSubscriber();
        throw error;
      }
    },
  };
}
