/** A node with the probe, as a process with a readable log: what operators see of a request. */
import { clientOf, type TestClient } from '../http/client';
import type { Cluster, Environment } from '../kernel/cluster';
import { startProcess, type TestProcess } from './processes';
import { until } from '../until';

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly requestId?: string;
  readonly path?: string;
  readonly status?: number;
}

export interface ProbeProcess extends TestProcess, TestClient {
  readonly port: number;
  readonly url: string;
  /** All log lines about the request of this id, once its access line is among them. */
  linesOf(requestId: string): Promise<LogLine[]>;
  /** The status in its access line. */
  notedStatus(requestId: string): Promise<number | undefined>;
  /** The number of requests of a route by status, from the metrics. */
  measured(route: string): Promise<Record<string, number>>;
}

export async function startProbe(cluster: Cluster, more: Environment = {}): Promise<ProbeProcess> {
  const environment = { ...cluster.environment, LOG_LEVEL: 'info', ...more };
  const child = startProcess('test/support/processes/probe/node.ts', environment);
  const port = Number((await child.line(/listening on (\d+)/))[1]);
  const url = `http://127.0.0.1:${port}`;
  const client = clientOf(url);
  const isAccess = ({ msg }: LogLine) => msg === 'request';
  const linesOf = (requestId: string) =>
    until(
      () => linesIn(child.output()).filter((line) => line.requestId === requestId),
      (lines) => lines.some(isAccess),
    );
  return {
    ...child,
    ...client,
    port,
    url,
    linesOf,
    notedStatus: async (requestId) => (await linesOf(requestId)).find(isAccess)?.status,
    async measured(route) {
      const { text } = await client.call('/metrics');
      const lines = text.split('\n').filter((line) => line.startsWith('partyline_http_request_seconds_count{'));
      const ours = lines.filter((line) => line.includes(`route="${route}"`));
      return Object.fromEntries(
        ours.map((line) => [/status="(\d+)"/.exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))]),
      );
    },
  };
}

const linesIn = (output: string): LogLine[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as LogLine);
