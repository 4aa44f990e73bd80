/** Messages sent over HTTP, compared with the same node answering a POST that does nothing. */
import { cpuOf, P50, P99, pairsByName, RATE, type Side, type Suite } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { openCrowd } from '../harness/crowd';
import { startNode, type NodeProcess } from '../harness/node-process';
import { watchProcess } from '../harness/watch';
import type { HttpLoad } from '../load/http';
import { formRequest } from '../load/sender';

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
  ],
  async open(bench) {
    const crowd = await openCrowd(bench);
    await crowd.stream('thousand', 1000);
    const senders = crowd.people.slice(0, SENDERS);
    const [load, node, trivial] = await Promise.all([
      startProgram<HttpLoad>('load/http', null),
      startNode(bench),
      startNode(bench, {}, 'bench/programs/trivial-main.js'),
    ]);
    const side = (server: NodeProcess, path: string): Side => ({
      watched: [watchProcess('server', server), bench.redis, ...bench.mariadb, watchProcess('load', load)],
      run: (milliseconds) =>
        load.run({
          port: server.port,
          request: senders.map(({ authorization }) => formRequest(path, authorization, FORM)),
          connections: SENDERS,
          milliseconds,
        }),
    });
    return pairsByName({
      'http-send': { limit: side(trivial, '/api/v1/bench/trivial'), ours: side(node, '/api/v1/messages') },
    });
  },
};
