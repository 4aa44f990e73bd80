/** Limit: a bare PUBLISH, from the call to its arrival at a subscriber in the same process. */
import { Redis } from 'ioredis';
import type { Measurement } from '../../harness/benchmark';
import { closedLoop, type Loop } from '../../harness/closed-loop';
import { program, type Shape } from '../../harness/program';
import { openArrivals } from '../arrivals';
import { EVENT } from '../payload';

export interface PubSub extends Shape {
  readonly options: { readonly redisUrl: string; readonly channel: string };
  readonly ready: null;
  readonly order: Loop;
  readonly report: Measurement;
}

program<PubSub>(async ({ redisUrl, channel }) => {
  const [publisher, subscriber] = [new Redis(redisUrl), new Redis(redisUrl)];
  const arrivals = openArrivals();
  subscriber.on('message', (_channel, message: string) => arrivals.arrived(message));
  await subscriber.subscribe(channel);
  return {
    ready: null,
    async run(loop) {
      await closedLoop(loop, async () => {
        const token = arrivals.expect();
        arrivals.departed(token);
        await publisher.publish(channel, token + EVENT);
      });
      return arrivals.all();
    },
  };
});
