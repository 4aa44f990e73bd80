/** A Redis connection as the Socket.IO adapter uses it. */
import type { Redis } from 'ioredis';
import { allServersOf } from '../redis/cluster';

type Reply = (error: Error | null, reply?: unknown) => void;

/** The methods that the adapter calls on a client of ioredis. */
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
 * The adapter ignores the promises of its commands, so a command that ends with its connection would end the process.
 * Here nobody needs to look: a lost subscription is made again with the next connection, a lost message may be lost.
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

/** The adapter asks one thing: how many listen to a channel (PUBSUB NUMSUB). Each node of a cluster knows only its own. */
async function askAll(redis: Redis, name: string, args: readonly string[]): Promise<unknown> {
  const replies = allServersOf(redis).map((server) => server.call(name, ...args) as Promise<unknown[]>);
  await Promise.any(replies);
  // At a node that is gone nobody listens.
  const counts = replies.map((reply) => reply.then(([, count]) => Number(count)).catch(() => 0));
  return [args[1], (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)];
}
