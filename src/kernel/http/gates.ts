/** The gates of a node's expensive routes: routes that read much from the database, and routes that bring files. */
import { fairRule, Gate } from '../gate';

export interface Gates {
  readonly expensive: Gate;
  readonly uploads: Gate;
}

export function openGates(mysqlConnections: number): Gates {
  const rule = fairRule(mysqlConnections);
  return {
    // One large answer holds up the process for longer than one small one: a caller has half of the places.
    expensive: new Gate({ ...rule, callerAtOnce: Math.max(1, Math.floor(rule.atOnce / 2)) }),
    // Uploads that are read at once. The connections of the others wait unread, which costs nothing.
    uploads: new Gate({ atOnce: 64, callerAtOnce: 4, waiting: 1000, callerWaiting: 100, waitMs: 10_000 }),
  };
}
