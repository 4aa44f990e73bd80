/** Ours: the kernel's log publisher alone, appending rows to a tenant's log without the database. */
import { loadConfig } from '../../config';
import { redisKey, tenantOf } from '../../src/kernel/actor/address';
import { eventLog } from '../../src/kernel/event-log/event-log';
import { LOG_PUBLISHER, LogPublisher } from '../../src/kernel/event-log/log-publisher';
import { openKernel } from '../../src/kernel/kernel';
import type { Measurement } from '../harness/benchmark';
import { closedLoop } from '../harness/closed-loop';
import { program, type Shape } from '../harness/program';
import { EVENT } from './payload';

export interface Publish extends Shape {
  readonly options: { readonly environment: Readonly<Record<string, string>> };
  readonly ready: null;
  /** `rows` are published together, like those of one transaction; `depth` such calls are outstanding. */
  readonly order: { readonly events: number; readonly depth: number; readonly rows: number };
  readonly report: Measurement;
}

program<Publish>(async ({ environment }) => {
  const kernel = await openKernel(loadConfig(environment));
  const publisher = new LogPublisher(kernel);
  let logs = 0;
  return {
    ready: null,
    async run({ events, depth, rows }) {
      const tenant = tenantOf('bench', `publish-${process.pid}-${(logs += 1)}`);
      const log = eventLog.at(tenant);
      await log.request(kernel, 'begin', 0);
      const publish = (index: number) =>
        publisher.publish(
          Array.from({ length: rows }, (_, row) => {
            const number = index * rows + row + 1;
            return { id: number, publisher: LOG_PUBLISHER, tenant, number, body: EVENT };
          }),
        );
      const { units, figures } = await closedLoop({ concurrency: depth, count: events / rows }, publish);
      const key = redisKey(kernel.namespace, log.address);
      const appended = await kernel.redis.commands.xlen(`${key}:rows`);
      if (appended !== events) throw new Error(`${appended} of ${events} events are in the log`);
      await kernel.redis.commands.unlink(`${key}:rows`);
      return { units: units * rows, figures: { ...figures, rate: figures['rate']! * rows } };
    },
  };
});
