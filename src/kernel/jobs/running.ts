/** What this process is working on, by queue: for its heartbeat, and to tell a deaf worker from an idle one. */
import type { Kernel } from '../kernel';
import { perKernel } from '../per-kernel';
import { openTally, type Tally } from './tally';

export interface RunningJob {
  readonly id: string;
  readonly since: number;
  readonly payload: unknown;
}

export interface Station {
  readonly queue: string;
  readonly concurrency: number;
  readonly running: Map<string, RunningJob>;
  readonly tally: Tally;
  /** How many jobs it has taken in all. */
  taken: number;
}

const stations = perKernel(() => new Map<string, Station>());

export function openStation(kernel: Kernel, queue: string, concurrency: number): Station {
  const station = { queue, concurrency, running: new Map<string, RunningJob>(), tally: openTally(), taken: 0 };
  stations(kernel).set(queue, station);
  return station;
}

export const listStations = (kernel: Kernel): Station[] => [...stations(kernel).values()];
