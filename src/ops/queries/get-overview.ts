/** What the console shows first: what is wrong, and how everything fares. */
import type { Kernel } from '../../kernel/kernel';
import type { Finding } from '../model/finding';
import { findLive } from '../model/live-findings';
import { slowestOf, type RoutePace } from '../model/pace';
import type { Desks } from '../model/work';
import { mysqlVersion } from './check-mysql';
import { examine, type Installation } from './examine';
import { lookAround, type Surroundings } from './look-around';

export interface Overview extends Surroundings {
  /** What is wrong comes first. */
  readonly findings: readonly Finding[];
  readonly slowest: readonly RoutePace[];
  readonly mysqlVersion: string;
}

/** The installation changes seldom, and to look at all of it is not free. */
const FRESH_MS = 15_000;
const MOST_ROUTES = 10;
const ORDER = { fail: 0, warn: 1, ok: 2 } as const;

/** Reads for all operators of a node together. */
export function openOverview(kernel: Kernel, desks: Desks, installation: () => Installation): () => Promise<Overview> {
  type Examined = readonly [readonly Finding[], string];
  let examined: { readonly at: number; readonly hasRedis: boolean; readonly found: Promise<Examined> } | undefined;

  function lookAtInstallation(hasRedis: boolean): Promise<Examined> {
    if (!examined || examined.hasRedis !== hasRedis || Date.now() - examined.at > FRESH_MS) {
      const found = Promise.all([examine(kernel, installation(), hasRedis), mysqlVersion(kernel)] as const);
      const next = { at: Date.now(), hasRedis, found };
      // A failure is not kept: the next one who asks looks again.
      found.catch(() => {
        if (examined === next) examined = undefined;
      });
      examined = next;
    }
    return examined.found;
  }

  return async () => {
    const around = await lookAround(kernel, desks);
    const [found, version] = await lookAtInstallation(around.redis !== null);
    const findings = [...findLive(around), ...found].sort((a, b) => ORDER[a.level] - ORDER[b.level]);
    const slowest = slowestOf(
      around.nodes.flatMap((node) => node.slowest),
      MOST_ROUTES,
    );
    return { ...around, findings, slowest, mysqlVersion: version };
  };
}
