/** Builds the console's first page: what is wrong, and the state of everything. */
import type { Kernel, Storage } from '../../kernel/kernel';
import type { Keyspace } from '../../kernel/redis/connections';
import { findFailing, type FarEndReport } from '../model/far-end';
import type { Finding } from '../model/finding';
import { findLive, type Overview } from '../model/live-findings';
import { slowestOf } from '../model/pace';
import type { WorkQueueAdmins } from '../model/work';
import { mysqlVersion } from './check-mysql';
import { examine, type Installation } from './examine';
import { lookAround } from './look-around';

/** The installation rarely changes, and a full check is not free. */
const FRESH_MS = 15_000;
const MAX_ROUTES = 10;
const ORDER = { fail: 0, warn: 1, ok: 2 } as const;

/** What the overview looks at. */
export interface Sights {
  readonly admins: WorkQueueAdmins;
  readonly installation: () => Installation;
  readonly lookAtFarEnds: () => Promise<readonly FarEndReport[]>;
}

/** The checks are cached for all operators of a node. */
export function openOverview(
  kernel: Storage & Keyspace & Pick<Kernel, 'jobs' | 'log'>,
  { admins, installation, lookAtFarEnds }: Sights,
): () => Promise<Overview> {
  type Examined = readonly [readonly Finding[], string];
  let examined: { readonly at: number; readonly hasRedis: boolean; readonly found: Promise<Examined> } | undefined;

  function lookAtInstallation(hasRedis: boolean): Promise<Examined> {
    if (!examined || examined.hasRedis !== hasRedis || Date.now() - examined.at > FRESH_MS) {
      const found = Promise.all([examine(kernel, installation(), hasRedis), mysqlVersion(kernel.mysql)] as const);
      const next = { at: Date.now(), hasRedis, found };
      // A failure is not cached, so the next request checks again.
      found.catch(() => {
        if (examined === next) examined = undefined;
      });
      examined = next;
    }
    return examined.found;
  }

  return async () => {
    const around = await lookAround(kernel, admins);
    const [[found, version], farEnds] = await Promise.all([
      lookAtInstallation(around.redis !== null),
      around.redis === null ? [] : lookAtFarEnds(),
    ]);
    const findings = [...findLive(around), ...findFailing(farEnds), ...found].sort(
      (a, b) => ORDER[a.level] - ORDER[b.level],
    );
    const slowest = slowestOf(
      around.nodes.flatMap((node) => node.slowest),
      MAX_ROUTES,
    );
    return { ...around, findings, slowest, mysqlVersion: version };
  };
}
