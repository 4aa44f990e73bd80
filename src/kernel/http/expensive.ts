/** The gate of a node's expensive routes: lists, searches and histories. */
import { fairRule, Gate } from '../gate';
import { perKernel } from '../per-kernel';

export const expensiveCalls = perKernel(({ settings }) => new Gate(fairRule(settings.mysqlConnections)));
