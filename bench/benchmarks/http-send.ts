/** Messages sent over HTTP, and a POST that does nothing, both beside the libraries which serve such a POST. */
import { cpuOf, P50, P99, pairsByName, RATE, type Figure, type Side, type Suite } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { openCrowd } from '../harness/crowd';
import { startNode } from '../harness/node-process';
import { watchProcess } from '../harness/watch';
import type { HttpLoad } from '../load/http';
import { formRequest } from '../load/sender';
import type { BareServer } from '../programs/bare/koa-hello';

const SENDERS = 64;
const LIBRARIES =
  'an empty POST by Koa, @koa/router, koa-bodyparser, pino and prom-client with the same headers, without a caller';
export const FORM = {
  type: 'stream',
  to: 'thousand',
  topic: 'benchmarks',
  content: 'fifty characters of plain text, more or less so...',
};

/** The path at which the node of trivial-main.ts does nothing. */
export const TRIVIAL_PATH = '/api/v1/bench/trivial';

export const cpuAtMost = (ratio: number): Figure => ({
  ...cpuOf('server'),
  target: { of: 'ratio', is: 'at most', value: ratio },
});

export const httpSendSuite: Suite = {
  benchmarks: [
    {
      name: 'http-send',
      about: `POST /messages, 50 characters of plain text, ${SENDERS} senders`,
      limit: LIBRARIES,
      unit: 'message',
      figures: [RATE, cpuAtMost(2.2), P50, P99],
    },
    {
      name: 'http-empty',
      about: `a POST that authenticates, reads its form and does nothing, ${SENDERS} senders`,
      limit: LIBRARIES,
      unit: 'request',
      figures: [RATE, cpuAtMost(1.4), P50, P99],
    },
  ],
  async open(bench) {
    const crowd = await openCrowd(bench);
    await crowd.stream('thousand', 1000);
    const senders = crowd.people.slice(0, SENDERS);
    const [load, node, trivial, libraries] = await Promise.all([
      startProgram<HttpLoad>('load/http', null),
      startNode(bench),
      startNode(bench, {}, 'bench/programs/trivial-main.js'),
      startProgram<BareServer>('programs/bare/koa-stack', null),
    ]);
    const side = (server: { pid: number; port: number }, path: string): Side => ({
      watched: [watchProcess('server', server), bench.redis, ...bench.mariadb, watchProcess('load', load)],
      run: (milliseconds) =>
        load.run({
          port: server.port,
          request: senders.map(({ authorization }) => formRequest(path, authorization, FORM)),
          connections: SENDERS,
          milliseconds,
        }),
    });
    const bare = side({ pid: libraries.pid, port: libraries.ready.port }, TRIVIAL_PATH);
    return pairsByName({
      'http-send': { limit: bare, ours: side(node, '/api/v1/messages') },
      'http-empty': { limit: bare, ours: side(trivial, TRIVIAL_PATH) },
    });
  },
};
