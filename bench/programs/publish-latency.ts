/** Ours: latency from an event's commit to the subscribers of its log's Redis channel. */
import { loadConfig } from '../../config';
import { tenantOf } from '../../src/kernel/actor/address';
import { eventChannel } from '../../src/kernel/event-log/event-log';
import { logEvent } from '../../src/kernel/event-log/log-publisher';
import { openKernel } from '../../src/kernel/kernel';
import { closedLoop } from '../harness/closed-loop';
import { program } from '../harness/program';
import { openArrivals } from './arrivals';
import { EVENT } from './payload';
import type { Transact } from './transact';

program<Transact>(async ({ environment }) => {
  const kernel = await openKernel(loadConfig(environment));
  const tenant = tenantOf('bench', 'publish-latency');
  const arrivals = openArrivals();
  await kernel.channel.listen(eventChannel(tenant), {
    receive: (message) => arrivals.arrived(message.slice(message.indexOf(' ') + 1)),
    resumed: () => {},
  });
  return {
    ready: null,
    async run(loop) {
      await closedLoop(loop, async () => {
        const token = arrivals.expect();
        await kernel.transaction(async (tx) => tx.deliver(logEvent(tenant, token + EVENT)));
        arrivals.departed(token);
      });
      const measurement = await arrivals.all();
      await kernel.outbox.settle();
      return measurement;
    },
  };
});
