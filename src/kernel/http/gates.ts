/** The gates of a node: one for routes that read much from the database, one for uploads, one for all other routes. */
import { fairRule, Gate } from '../admission/gate';
import { TenantTurns } from '../admission/tenant-turns';

export interface Gates {
  readonly expensive: Gate;
  readonly uploads: Gate;
  readonly tenants: TenantTurns;
}

export function openGates(mysqlConnections: number): Gates {
  const rule = fairRule(mysqlConnections);
  return {
    // A large answer holds the process up for longer than a small one, so one caller gets half of the places.
    expensive: new Gate({ ...rule, callerAtOnce: Math.max(1, Math.floor(rule.atOnce / 2)) }),
    // How many uploads are read at once. The others wait unread on their connections, which costs nothing.
    uploads: new Gate({ atOnce: 64, callerAtOnce: 4, waiting: 1000, callerWaiting: 100, waitMs: 10_000 }),
    tenants: new TenantTurns(),
  };
}
