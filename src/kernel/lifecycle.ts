/** The ordered shutdown of a process: stage after stage, within one hard deadline. */
import { setMaxListeners } from 'node:events';
import { sleep, withDeadline } from './deadline';
import type { Log } from './log';

/** From the outside in: requests and sockets end first, connections close last. */
const STAGES = ['requests', 'sockets', 'listeners', 'jobs', 'outbox', 'connections'] as const;
export type Stage = (typeof STAGES)[number];

export interface Lifecycle {
  /** False as soon as shutdown begins. Load balancers read it. */
  ready(): boolean;
  /** Aborted when waiting requests should be answered. */
  readonly draining: AbortSignal;
  on(stage: Stage, name: string, close: () => Promise<unknown> | void): void;
  /** Shuts the process's work down. Resolves to whether everything ended in time. Repeated calls join the first. */
  drain(): Promise<boolean>;
}

export function openLifecycle(log: Log, times: { noticeMs: number; deadlineMs: number }): Lifecycle {
  const closers = new Map<Stage, { name: string; close: () => Promise<unknown> | void }[]>();
  const draining = new AbortController();
  // Every organisation that a node serves adds a listener: many listeners are no leak.
  setMaxListeners(0, draining.signal);
  let isReady = true;
  let ending: Promise<boolean> | undefined;

  async function endStage(stage: Stage): Promise<void> {
    const ends = (closers.get(stage) ?? []).map(async ({ name, close }) => {
      try {
        await close();
      } catch (error) {
        log.warn({ stage, name, error }, 'could not close cleanly');
      }
    });
    await Promise.all(ends);
    log.debug({ stage }, 'drained');
  }

  async function endAll(): Promise<void> {
    isReady = false;
    await sleep(times.noticeMs);
    draining.abort();
    for (const stage of STAGES) await endStage(stage);
  }

  return {
    ready: () => isReady,
    draining: draining.signal,
    on: (stage, name, close) => void closers.set(stage, [...(closers.get(stage) ?? []), { name, close }]),
    drain() {
      ending ??= withDeadline('draining', times.deadlineMs, endAll()).then(
        () => true,
        (error: Error) => {
          log.error({ error }, 'gave up draining');
          return false;
        },
      );
      return ending;
    },
  };
}
