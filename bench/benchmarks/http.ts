/** Requests to a node beside the same requests to a bare Koa: the same client, the same connections, in turn. */
import { cpuOf, P50, P99, RATE, type Benchmark, type Side } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { startNode } from '../harness/node-process';
import type { Bench } from '../harness/stage';
import { watchProcess } from '../harness/watch';
import type { HttpLoad } from '../load/http';
import type { BareServer } from '../programs/koa-hello';
import { chatMember, companyOwner, nobody } from './accounts';

const CONNECTIONS = 64;

interface Request {
  readonly name: string;
  readonly about: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly form?: string;
  readonly environment?: Readonly<Record<string, string>>;
  headers(bench: Bench): Promise<string[]>;
}

function wire({ method, path, form }: Request, headers: readonly string[]): string {
  const body =
    form === undefined ? [] : ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${form.length}`];
  const head = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'User-Agent: bench', ...headers, ...body];
  return `${head.join('\r\n')}\r\n\r\n${form ?? ''}`;
}

function httpBenchmark(request: Request): Benchmark {
  const { name, about, method, environment } = request;
  const bare = method === 'GET' ? 'koa-hello' : 'koa-form';
  return {
    name,
    about: `${about}, ${CONNECTIONS} connections`,
    limit: method === 'GET' ? 'bare Koa, GET, 1.2 KB of JSON' : 'bare Koa with koa-bodyparser, POST, a form',
    unit: 'request',
    figures: [RATE, P50, P99, cpuOf('server')],
    async open(bench) {
      const load = await startProgram<HttpLoad>('load/http', null);
      const headers = await request.headers(bench);
      const [hello, node] = await Promise.all([
        startProgram<BareServer>(`programs/${bare}`, null),
        startNode(bench, environment),
      ]);
      const text = wire(request, headers);
      const towards = (server: { pid: number }, port: number): Side => ({
        watched: [watchProcess('server', server), bench.redis, ...bench.mariadb, watchProcess('load', load)],
        run: (milliseconds) => load.run({ port, request: text, connections: CONNECTIONS, milliseconds }),
      });
      return { limit: towards(hello, hello.ready.port), ours: towards(node, node.port) };
    },
  };
}

export const httpBenchmarks: readonly Benchmark[] = [
  httpBenchmark({
    name: 'http-settings',
    about: 'GET /api/v1/server_settings',
    method: 'GET',
    path: '/api/v1/server_settings',
    headers: nobody,
  }),
  httpBenchmark({
    name: 'http-me',
    about: 'GET /api/v1/users/me, authenticated, no rate limit',
    method: 'GET',
    path: '/api/v1/users/me',
    headers: chatMember,
  }),
  httpBenchmark({
    name: 'http-me-limited',
    about: 'GET /api/v1/users/me, authenticated, counted by the rate limiter',
    method: 'GET',
    path: '/api/v1/users/me',
    // The default would refuse the 201st request of a minute; what is measured is the counting, which is the same.
    environment: { RATE_LIMIT: '60:100000000' },
    headers: chatMember,
  }),
  httpBenchmark({
    name: 'http-company',
    about: 'GET /system/company, authenticated, no rate limit',
    method: 'GET',
    path: '/system/company',
    headers: companyOwner,
  }),
  httpBenchmark({
    name: 'http-form',
    about: 'POST /api/v1/dev_fetch_api_key, a form, on a development node',
    method: 'POST',
    path: '/api/v1/dev_fetch_api_key',
    form: 'username=member%40example.com',
    environment: { NODE_ENV: 'development' },
    headers: nobody,
  }),
];
