/** The gates of a node's expensive routes: what reads much from the database, and what brings files. */
import { fairRule, Gate } from '../gate';
import { perKernel } from '../per-kernel';

/** One large answer holds up the process for longer than one small one: a caller has half of the places. */
export const expensiveCalls = perKernel(({ settings }) => {
  const rule = fairRule(settings.mysqlConnections);
  return new Gate({ ...rule, callerAtOnce: Math.max(1, Math.floor(rule.atOnce / 2)) });
});

/** Uploads that are read at once; the connections of the others wait unread, which costs nothing. */
export const uploads = perKernel(
  () => new Gate({ atOnce: 64, callerAtOnce: 4, waiting: 1000, callerWaiting: 100, waitMs: 10_000 }),
);
