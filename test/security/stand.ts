/** A node with a small heap to be attacked, and a user of it meanwhile. */
import { setMaxListeners } from 'node:events';
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Cluster } from '../support/kernel/cluster';
import { startMainNode, type MainNode } from '../support/processes/main-node';
import { killAll, startProcess } from '../support/processes/processes';
import { ownDirectory } from '../support/servers/services';
import type { Abuse, AbuseCounts, Target } from './abuse';
import type { Witness } from './bystander';

export interface Figures {
  readonly abuse: string;
  readonly summary: string;
  readonly seconds: number;
  readonly counts: AbuseCounts;
  readonly healthzMaxMs: number;
  readonly requestP99Ms: number;
  readonly requests: number;
  readonly failures: Record<string, number>;
  readonly peakHeapMb: number;
  readonly peakRssMb: number;
}

/** npm test attacks for a moment, npm run attack for minutes. */
export const ATTACK_MS = Number(process.env['ATTACK_SECONDS'] ?? '1') * 1000;
/** Times are checked only if a run is long enough for a percentile and has the machine to itself. */
export const IS_TIMED = ATTACK_MS >= 60_000;
/** For an abuse to end once it is told to: waiting passwords are still hashed, slowly on a loaded machine. */
const ENDING_MS = 400_000;

const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=512' };

export interface Targets {
  /** A node for this abuse; abuses with the same environment share one. */
  of(abuse: Abuse): Promise<MainNode>;
  close(): Promise<void>;
}

export function openTargets(cluster: Cluster): Targets {
  const started = new Map<string, Promise<MainNode>>();
  // A killed node leaves its uploads behind, so they are kept apart from those of other tests.
  const spool = ownDirectory();
  return {
    of({ environment = {} }) {
      const key = JSON.stringify(environment);
      const whole = { ...cluster.environment, ...SMALL_HEAP, SPOOL_DIR: spool.path, ...environment };
      const target = started.get(key) ?? startMainNode(whole);
      started.set(key, target);
      return target;
    },
    async close() {
      await killAll();
      spool.remove();
    },
  };
}

export async function attack(target: Target, abuse: Abuse): Promise<Figures> {
  await abuse.prepare?.(target);
  // No other user of the demo organisation attacks or is attacked.
  const { Authorization: authorization } = await target.basic('owner@example.com');
  const bystander = startProcess('test/security/bystander.ts', {}, [target.url, authorization]);
  await bystander.line(/^watching/m);
  const over = new AbortController();
  // Every connection of the attack adds a listener: many listeners are not a leak.
  setMaxListeners(0, over.signal);
  const running = abuse.run(target, over.signal);
  running.catch(() => undefined);
  await Promise.race([wait(ATTACK_MS), running]);
  over.abort();
  const counts = await Promise.race([
    running,
    wait(ENDING_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${abuse.name} does not stop`);
    }),
  ]);
  bystander.kill('SIGTERM');
  const [, line = ''] = await bystander.line(/^witness (.+)$/m);
  const figures = figuresOf(abuse, counts, JSON.parse(line) as Witness);
  report(figures);
  return figures;
}

function figuresOf({ name, summary }: Abuse, counts: AbuseCounts, witness: Witness): Figures {
  const { healthz, requests, failures, peakHeapMb, peakRssMb } = witness;
  return {
    abuse: name,
    summary,
    seconds: ATTACK_MS / 1000,
    counts,
    healthzMaxMs: Math.round(Math.max(...healthz)),
    requestP99Ms: Math.round(percentile(requests, 0.99)),
    requests: requests.length,
    failures,
    peakHeapMb,
    peakRssMb,
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The long version prints a table; jest's output has no place for one. */
function report(figures: Figures): void {
  const file = process.env['ATTACK_REPORT'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figures)}\n`);
}
