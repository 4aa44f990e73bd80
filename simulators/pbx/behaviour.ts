// What a call does when a fault hits it: the same for every dialect, but for the words in which each says that it failed.
import { setTimeout as sleep } from 'node:timers/promises';
import { reset, sendGarbage, trickle } from './exchange';
import type { Answer, Exchange } from './exchange';
import type { Fault, Faults, Mode } from './faults';
import type { RequestLog } from './request-log';
import type { Store } from './store';

export interface Pbx {
  store: Store;
  faults: Faults;
  log: RequestLog;
  /** Aborted when the process stops, so that no delay holds it up. */
  stopping: AbortSignal;
  /** What a dialect was asked for that no record of the real product has: an error of whoever asked. */
  unrecorded: string[];
}

/** A call in the words of a dialect. */
export interface Asked {
  instance: string;
  /** Below the instance's address. */
  path: string;
  query: URLSearchParams;
}

export interface Work {
  run: () => Answer | Promise<Answer>;
  /** What it answers when it is to fail. */
  failure: Answer;
  /** What it answers when it only says that it has done it; calls that change nothing have none. */
  yes?: Answer;
  /** What is left in the middle of it, for calls that are not done in one step. */
  half?: () => Promise<void>;
}

type Misbehaviour = (work: Work, exchange: Exchange) => Promise<Answer | undefined> | Answer | undefined | void;

const MISBEHAVIOURS: Record<Mode, Misbehaviour> = {
  ok: ({ run }) => run(),
  slow: ({ run }) => run(),
  error: ({ failure }) => failure,
  'half-apply': async ({ half, failure }) => {
    await half?.();
    return failure;
  },
  'only-say-yes': ({ yes, run }) => yes ?? run(),
  hang: () => {},
  garbage: (_, exchange) => sendGarbage(exchange),
  trickle: async ({ run }, exchange) => {
    trickle(exchange, await run());
    return undefined;
  },
  reset: (_, exchange) => reset(exchange),
  'drop-after-apply': async ({ run }, exchange) => {
    await run();
    reset(exchange);
    return undefined;
  },
};

/** Runs the work as the fault allows; undefined means that no answer is to be sent. */
export async function behave(
  pbx: Pbx,
  exchange: Exchange,
  fault: Fault | undefined,
  work: Work,
): Promise<Answer | undefined> {
  if (!fault) return work.run();
  const isStillWanted = await delay(fault, exchange, pbx.stopping);
  return isStillWanted ? ((await MISBEHAVIOURS[fault.mode](work, exchange)) ?? undefined) : undefined;
}

async function delay(fault: Fault, { response }: Exchange, stopping: AbortSignal): Promise<boolean> {
  if (fault.delay_ms === 0) return true;
  const over = new AbortController();
  const end = () => over.abort();
  if (stopping.aborted) end();
  // Not by AbortSignal.any, of which the signal that outlives the call would keep something for good.
  stopping.addEventListener('abort', end);
  response.once('close', () => {
    if (!fault.late) end();
  });
  const isStillWanted = await sleep(fault.delay_ms, true, { signal: over.signal }).catch(() => false);
  stopping.removeEventListener('abort', end);
  return isStillWanted;
}
