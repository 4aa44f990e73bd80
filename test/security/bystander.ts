/**
 * A user of a node that is under attack, in a separate process so that the attacker's load does not count as the node's
 * delay. Prints a line of JSON when it is told to stop. Arguments: the node's address, and an Authorization header.
 */
import { setTimeout as wait } from 'node:timers/promises';

export interface Witness {
  /** Milliseconds of each request. */
  readonly healthz: number[];
  readonly requests: number[];
  /** Failures: requests by status or error. */
  readonly failures: Record<string, number>;
  readonly peakHeapMb: number;
  readonly peakRssMb: number;
}

/** Below the limit of one user, 60:200: five requests in three rounds are counted. */
const PAUSE_MS = 600;
/** Generous: the measurements decide whether responses were fast enough. */
const PATIENCE_MS = 90_000;
const METRICS_EVERY = 3;

const [url = '', authorization = ''] = process.argv.slice(2);

const witness = { healthz: [] as number[], requests: [] as number[], failures: {} as Record<string, number> };
let peakHeap = 0;
let peakRss = 0;
let isOver = false;

async function timed(path: string, durations: number[], init: RequestInit = {}): Promise<string> {
  const began = performance.now();
  let outcome: string;
  let text = '';
  try {
    const answer = await fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
    text = await answer.text();
    outcome = answer.status === 200 ? 'ok' : `${path} ${answer.status}`;
  } catch (error) {
    outcome = `${path} ${String((error as Error).cause ?? error)}`;
  }
  durations.push(performance.now() - began);
  if (outcome !== 'ok') witness.failures[outcome] = (witness.failures[outcome] ?? 0) + 1;
  return text;
}

const valueOf = (metrics: string, name: string) =>
  Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(metrics)?.[1] ?? 0) / 1024 / 1024;

/** Like a client that is opened and closed. */
async function registerAndLeave(headers: Record<string, string>): Promise<void> {
  const registered = await timed('/api/v1/register', witness.requests, { method: 'POST', headers });
  const [, queue] = /"queue_id":"([^"]+)"/.exec(registered) ?? [];
  if (queue === undefined) return;
  const body = new URLSearchParams({ queue_id: queue });
  await timed('/api/v1/events', witness.requests, { method: 'DELETE', headers, body });
}

async function watch(): Promise<void> {
  const headers = { Authorization: authorization };
  const form = new URLSearchParams({ type: 'stream', to: 'test', topic: 'attack', content: 'Is anybody there?' });
  for (let round = 0; !isOver; round += 1) {
    await timed('/healthz', witness.healthz);
    await timed('/api/v1/users/me', witness.requests, { headers });
    if (round % METRICS_EVERY === 0) {
      await timed('/api/v1/messages', witness.requests, { method: 'POST', headers, body: form });
      await registerAndLeave(headers);
      const metrics = await timed('/metrics', []);
      peakHeap = Math.max(peakHeap, valueOf(metrics, 'nodejs_heap_size_used_bytes'));
      peakRss = Math.max(peakRss, valueOf(metrics, 'process_resident_memory_bytes'));
    }
    await wait(PAUSE_MS);
  }
}

process.once('SIGTERM', () => {
  isOver = true;
});
process.stdout.write('watching\n');
void watch().then(() => {
  const report: Witness = { ...witness, peakHeapMb: Math.round(peakHeap), peakRssMb: Math.round(peakRss) };
  process.stdout.write(`witness ${JSON.stringify(report)}\n`);
});
