/** What can be done with a work item. */
import type { Remedy, Work, WorkQueue, WorkState } from '../data/wire';

/** The remedies that make sense in each state. A work queue may support fewer. */
const REMEDIES: Readonly<Record<WorkState, readonly Remedy[]>> = {
  waiting: ['discard'],
  running: [],
  done: ['replay'],
  dead: ['retry', 'discard'],
  failed: [],
  discarded: ['retry'],
};

export const remediesFor = ({ state }: Work, workQueue: WorkQueue | undefined): readonly Remedy[] =>
  REMEDIES[state].filter((remedy) => workQueue?.remedies.includes(remedy));

export const pathOf = ({ work_queue: workQueue, id }: Pick<Work, 'work_queue' | 'id'>): string =>
  `/${encodeURIComponent(workQueue)}/${encodeURIComponent(id)}`;

/** Ids are unique only within a work queue. */
export const keyOf = ({ work_queue: workQueue, id }: Pick<Work, 'work_queue' | 'id'>): string => `${workQueue} ${id}`;
