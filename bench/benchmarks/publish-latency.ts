/** Latency from the commit to the Redis channel, compared with a bare PUBLISH to the same kind of subscriber. */
import { P50, P99, pairsByName, type Pair, type Suite } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { watchProcess } from '../harness/watch';
import type { PubSub } from '../programs/bare/pub-sub';
import type { Transact } from '../programs/transact';

const SENDERS = [64, 1];
const nameOf = (senders: number): string => `publish-latency-${senders}`;

export const publishLatencySuite: Suite = {
  benchmarks: SENDERS.map((senders) => ({
    name: nameOf(senders),
    about: `from the commit of an event to its arrival on the channel of its log, ${senders} senders`,
    limit: `bare PUBLISH of 1.2 KB to its arrival, ${senders} at a time`,
    unit: 'event',
    // An event should be visible on another node within 50 ms.
    figures: [{ ...P50, target: { of: 'ours', is: 'at most', value: 50 } }, P99],
  })),
  async open({ redisUrl, environment, redis, mariadb }) {
    const [pubSub, publishing] = await Promise.all([
      startProgram<PubSub>('programs/bare/pub-sub', { redisUrl, channel: `${environment['NAMESPACE']}:bare` }),
      startProgram<Transact>('programs/publish-latency', { environment }),
    ]);
    const pairOf = (concurrency: number): Pair => ({
      limit: {
        watched: [watchProcess('sender', pubSub), redis],
        run: (milliseconds) => pubSub.run({ concurrency, milliseconds }),
      },
      ours: {
        watched: [watchProcess('sender', publishing), redis, ...mariadb],
        run: (milliseconds) => publishing.run({ concurrency, milliseconds, change: false }),
      },
    });
    return pairsByName(Object.fromEntries(SENDERS.map((senders) => [nameOf(senders), pairOf(senders)])));
  },
};
