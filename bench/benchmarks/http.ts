/** Requests to a node, compared with the same requests to a bare Koa: same client and connections, in turn. */
import {
  cpuOf,
  P50,
  P99,
  pairsByName,
  RATE,
  type Benchmark,
  type Pair,
  type Side,
  type Suite,
} from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { startNode } from '../harness/node-process';
import type { Bench } from '../harness/stage';
import { watchProcess } from '../harness/watch';
import type { HttpLoad } from '../load/http';
import type { BareServer } from '../programs/bare/koa-hello';
import { chatMember, companyOwner, nobody } from './accounts';

const CONNECTIONS = 64;

interface Request {
  readonly name: string;
  readonly about: string;
  /** Method and path. */
  readonly line: string;
  readonly form?: string;
  headers(bench: Bench): Promise<string[]>;
}

function wire({ line, form }: Request, headers: readonly string[]): string {
  const body =
    form === undefined ? [] : ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${form.length}`];
  const head = [`${line} HTTP/1.1`, 'Host: 127.0.0.1', 'User-Agent: bench', ...headers, ...body];
  return `${head.join('\r\n')}\r\n\r\n${form ?? ''}`;
}

const benchmarkOf = ({ name, about, line, form }: Request): Benchmark => ({
  name,
  about: `${line}${about}, ${CONNECTIONS} connections`,
  limit: form === undefined ? 'bare Koa, GET, 1.2 KB of JSON' : 'bare Koa with koa-bodyparser, POST, a form',
  unit: 'request',
  figures: [RATE, P50, P99, cpuOf('server')],
});

/** Requests to one node with these additional environment variables. */
function httpSuite(requests: readonly Request[], environment: Readonly<Record<string, string>> = {}): Suite {
  const isForm = requests.some(({ form }) => form !== undefined);
  return {
    benchmarks: requests.map(benchmarkOf),
    async open(bench) {
      const texts = await Promise.all(requests.map(async (each) => wire(each, await each.headers(bench))));
      const [load, bare, node] = await Promise.all([
        startProgram<HttpLoad>('load/http', null),
        startProgram<BareServer>(isForm ? 'programs/bare/koa-form' : 'programs/bare/koa-hello', null),
        startNode(bench, environment),
      ]);
      const side = (server: { pid: number }, port: number, request: string): Side => ({
        watched: [watchProcess('server', server), bench.redis, ...bench.mariadb, watchProcess('load', load)],
        run: (milliseconds) => load.run({ port, request, connections: CONNECTIONS, milliseconds }),
      });
      const pairs = requests.map(({ name }, index): [string, Pair] => {
        const request = texts[index]!;
        return [name, { limit: side(bare, bare.ready.port, request), ours: side(node, node.port, request) }];
      });
      return pairsByName(Object.fromEntries(pairs));
    },
  };
}

const ME = 'GET /api/v1/users/me';

export const httpSuites: readonly Suite[] = [
  httpSuite([
    { name: 'http-settings', about: '', line: 'GET /api/v1/server_settings', headers: nobody },
    { name: 'http-me', about: ', authenticated, no rate limit', line: ME, headers: chatMember },
    {
      name: 'http-company',
      about: ', authenticated, no rate limit',
      line: 'GET /system/company',
      headers: companyOwner,
    },
  ]),
  httpSuite([{ name: 'http-me-limited', about: ', counted by the rate limiter', line: ME, headers: chatMember }], {
    // The default would refuse the 201st request of a minute. Counting costs the same at any limit.
    RATE_LIMIT: '60:100000000',
  }),
  httpSuite(
    [
      {
        name: 'http-form',
        about: ', a form, on a development node',
        line: 'POST /api/v1/dev_fetch_api_key',
        form: 'username=member%40example.com',
        headers: nobody,
      },
    ],
    { NODE_ENV: 'development' },
  ),
];
