/** Messages sent over HTTP beside a POST that does nothing, and that beside the libraries which serve it. */
import { cpuOf, P50, P99, pairsByName, RATE, type Side, type Suite } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { openCrowd } from '../harness/crowd';
import { startNode } from '../harness/node-process';
import { watchProcess } from '../harness/watch';
import type { HttpLoad } from '../load/http';
import { formRequest } from '../load/sender';
import type { BareServer } from '../programs/bare/koa-hello';

const SENDERS = 64;
const FORM = {
  type: 'stream',
  to: 'thousand',
  topic: 'benchmarks',
  content: 'fifty characters of plain text, more or less so...',
};

export const httpSendSuite: Suite = {
  benchmarks: [
    {
      name: 'http-send',
      about: `POST /messages, 50 characters of plain text, ${SENDERS} senders`,
      limit: 'the same node, a POST that authenticates, reads its form and does nothing',
      unit: 'message',
      figures: [RATE, cpuOf('server'), P50, P99],
    },
    {
      name: 'http-empty',
      about: `a POST that authenticates, reads its form and does nothing, ${SENDERS} senders`,
      limit: 'Koa, @koa/router, koa-bodyparser, pino and prom-client with the same headers, without a caller',
      unit: 'request',
      figures: [RATE, cpuOf('server'), P50, P99],
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
    const empty = side(trivial, '/api/v1/bench/trivial');
    const bare = side({ pid: libraries.pid, port: libraries.ready.port }, '/api/v1/bench/trivial');
    return pairsByName({
      'http-send': { limit: empty, ours: side(node, '/api/v1/messages') },
      'http-empty': { limit: bare, ours: empty },
    });
  },
};
