/** Sorts work queues: those with dead letters first, then those with pending work, then by name. */
import type { WorkQueue } from '../data/wire';

type Load = Pick<WorkQueue, 'name' | 'dead' | 'waiting'>;

const rankOf = ({ dead, waiting }: Load): number => (dead > 0 ? 0 : waiting > 0 ? 1 : 2);

export const byNeed = <Each extends Load>(workQueues: readonly Each[]): Each[] =>
  workQueues.toSorted((a, b) => rankOf(a) - rankOf(b) || a.name.localeCompare(b.name));
