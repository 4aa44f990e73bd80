/** A Redis client for the Socket.IO adapter. */
import type { Redis } from 'ioredis';
import { allServersOf } from '../redis/cluster';

type Reply = (error: Error | null, reply?: unknown) => void;

/** The methods that the adapter calls on an ioredis client. */
interface AdapterClient {
  on(event: string, listener: (...news: unknown[]) => void): unknown;
  off(event: string, listener: (...news: unknown[]) => void): unknown;
  subscribe(channels: string | readonly string[]): void;
  unsubscribe(channels: string | readonly string[]): void;
  psubscribe(pattern: string): void;
  punsubscribe(pattern: string): void;
  publish(channel: string, message: string | Buffer): void;
  send_command(name: string, args: readonly string[], reply: Reply): void;
}

/**
 * The adapter ignores the promises of its commands, so a command that fails with its connection would end the process.
 * Such failures are ignored here: a lost subscription is renewed by the next connection, and a message may be lost.
 */
export function adapterClient(redis: Redis): AdapterClient {
  const ignoreFailure = (sent: Promise<unknown>): void => void sent.catch(() => {});
  return {
    on: (event, listener) => redis.on(event, listener),
    off: (event, listener) => redis.off(event, listener),
    subscribe: (channels) => ignoreFailure(redis.subscribe(...[channels].flat())),
    unsubscribe: (channels) => ignoreFailure(redis.unsubscribe(...[channels].flat())),
    psubscribe: (pattern) => ignoreFailure(redis.psubscribe(pattern)),
    punsubscribe: (pattern) => ignoreFailure(redis.punsubscribe(pattern)),
    publish: (channel, message) => ignoreFailure(redis.publish(channel, message)),
    send_command: (name, args, reply) =>
      void askAll(redis, name, args).then(
        (came) => reply(null, came),
        (error: Error) => reply(error),
      ),
  };
}

/** The adapter sends one such command: PUBSUB NUMSUB. Each node of a cluster counts only its own subscribers. */
async function askAll(redis: Redis, name: string, args: readonly string[]): Promise<unknown> {
  const replies = allServersOf(redis).map((server) => server.call(name, ...args) as Promise<unknown[]>);
  await Promise.any(replies);
  // A node that is gone has no subscribers.
  const counts = replies.map((reply) => reply.then(([, count]) => Number(count)).catch(() => 0));
  return [args[1], (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)];
}
