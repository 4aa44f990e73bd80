/** CPU of an idle node, compared with an idle bare Koa. */
import { setTimeout as wait } from 'node:timers/promises';
import { pairsByName, type Side, type Suite } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { startNode } from '../harness/node-process';
import { watchProcess } from '../harness/watch';
import type { BareServer } from '../programs/bare/koa-hello';

/** Startup leaves garbage to collect and code to compile. */
const SETTLE_MS = 2000;
/** One microsecond per second is a ten-thousandth of a per cent. */
const PER_CENT = 1e-4;

export const idleSuite: Suite = {
  benchmarks: [
    {
      name: 'idle',
      about: 'one idle node, and what it makes Redis and MariaDB do',
      limit: 'an idle bare Koa',
      unit: 'second',
      idle: true,
      figures: [
        {
          name: 'server CPU',
          from: 'cpu server',
          unit: '%',
          scale: PER_CENT,
          target: { of: 'ours', is: 'at most', value: 1 },
        },
      ],
    },
  ],
  async open(bench) {
    const { signal, redis, mariadb } = bench;
    const [hello, node] = await Promise.all([
      startProgram<BareServer>('programs/bare/koa-hello', null),
      startNode(bench),
    ]);
    await wait(SETTLE_MS, undefined, { signal });
    const run = async (milliseconds: number) => {
      await wait(milliseconds, undefined, { signal });
      return { units: milliseconds / 1000, figures: {} };
    };
    const limit: Side = { watched: [watchProcess('server', hello)], run };
    const ours: Side = { watched: [watchProcess('server', node), redis, ...mariadb], run };
    return pairsByName({ idle: { limit, ours } });
  },
};
