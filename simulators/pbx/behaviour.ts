// What a call does when a fault hits it. The same for every simulated vendor, except for the failure's wording.
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
  /** Calls that a fault has hit and that are not over. */
  struck: number;
  /** Aborted when the process stops, so that no delay holds it up. */
  stopping: AbortSignal;
  /** Requests for which no real answer was recorded: errors of the caller. */
  unrecorded: string[];
}

/** A call in a vendor's format. */
export interface Asked {
  instance: string;
  /** Below the instance's address. */
  path: string;
  query: URLSearchParams;
}

export interface Work {
  run: () => Answer | Promise<Answer>;
  /** The answer if it is to fail. */
  failure: Answer;
  /** The answer if it only claims success. Undefined for calls that change nothing. */
  yes?: Answer;
  /** Leaves the work half done, for calls with several steps. */
  half?: () => Promise<void>;
}

type Misbehaviour = (work: Work, exchange: Exchange) => Promise<Answer | undefined> | Answer | undefined | void;

const MISBEHAVIOURS: Record<Mode, Misbehaviour> = {
  ok: ({ run }) => run(),
  slow: ({ run }) => run(),
  hold: ({ run }) => run(),
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

/** Runs the work as the fault allows. Undefined means that no answer is sent. */
export async function behave(
  pbx: Pbx,
  exchange: Exchange,
  fault: Fault | undefined,
  work: Work,
): Promise<Answer | undefined> {
  if (!fault) return work.run();
  pbx.struck += 1;
  try {
    if (fault.mode === 'hold') await pbx.faults.changed;
    const isStillWanted = await delay(fault, exchange, pbx.stopping);
    return isStillWanted ? ((await MISBEHAVIOURS[endOf(fault)](work, exchange)) ?? undefined) : undefined;
  } finally {
    pbx.struck -= 1;
  }
}

/** A call that was held for so long that its caller is gone: what it does can still be seen, its answer cannot. */
const endOf = ({ mode, late }: Fault): Mode => (mode === 'hold' && late ? 'drop-after-apply' : mode);

async function delay(fault: Fault, { response }: Exchange, stopping: AbortSignal): Promise<boolean> {
  if (fault.delay_ms === 0) return true;
  const over = new AbortController();
  const end = () => over.abort();
  if (stopping.aborted) end();
  // Not AbortSignal.any: the long-lived signal would keep a reference to every call.
  stopping.addEventListener('abort', end);
  response.once('close', () => {
    if (!fault.late) end();
  });
  const isStillWanted = await sleep(fault.delay_ms, true, { signal: over.signal }).catch(() => false);
  stopping.removeEventListener('abort', end);
  return isStillWanted;
}
