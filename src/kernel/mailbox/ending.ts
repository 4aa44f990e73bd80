/** How one attempt at a mail ended, and what is written with that. */
import { Fault, type FaultKind } from '../fault';
import type { Tx } from '../mysql/transaction';
import type { AnyMailbox, Mail } from './mailbox';

export interface Ending {
  readonly state: 'done' | 'failed' | 'dropped' | 'pending';
  readonly reason: string | null;
  /** Only of one that is pending: until the next attempt. */
  readonly afterMs?: number;
  /** False where nobody is to blame, such as for a breaker that is open. */
  readonly isCounted?: boolean;
  /** Further columns of its row. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** The effects: written once, together with the end of the mail, and not at all if another worker has taken over. */
  readonly write?: (tx: Tx) => Promise<unknown>;
  /** For whoever waits for the end of the mail; a fault if it is not done. */
  readonly answer?: unknown;
  readonly fault?: Fault;
  /** Done once that is committed; lost if the worker dies before. */
  readonly after?: () => unknown;
}

type More = Pick<Ending, 'set' | 'write' | 'answer' | 'fault' | 'after'>;

export const done = (more: More = {}): Ending => ({ state: 'done', reason: null, ...more });
/** There was nothing left to do. */
export const dropped = (reason: string, more: More = {}): Ending => ({ state: 'dropped', reason, ...more });
/** A dead letter: trying again would change nothing. */
export const dead = (reason: string, more: More = {}): Ending => ({ state: 'failed', reason, ...more });
/** It failed and is tried again, unless that was the last attempt. */
export const failed = (reason: string, more: More & { readonly afterMs?: number } = {}): Ending => ({
  state: 'pending',
  reason,
  ...more,
});
/** It waits for something else; this was no attempt. */
export const postponed = (reason: string | null, afterMs: number, more: More = {}): Ending => ({
  state: 'pending',
  reason,
  afterMs,
  isCounted: false,
  ...more,
});

/** What these tell of may pass. */
const PASSING: ReadonlySet<FaultKind> = new Set(['unavailable', 'upstream', 'timeout', 'too-many', 'internal']);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error));

/** A fault is an answer, and would be the same again. */
export const endingOf = (error: unknown): Ending =>
  error instanceof Fault && !PASSING.has(error.kind)
    ? dead(messageOf(error), { fault: error })
    : failed(messageOf(error), error instanceof Fault ? { fault: error } : {});

/** What is written of it: a mail that has failed too often, or for too long, is a dead letter. */
export function finalEnding(mailbox: AnyMailbox, { attempts, ageMs }: Mail<unknown>, ending: Ending): Ending {
  if (ending.state !== 'pending' || ending.isCounted === false) return ending;
  const isLast = attempts + 1 >= mailbox.attempts || ageMs >= (mailbox.giveUpMs ?? Infinity);
  if (isLast) return { ...ending, state: 'failed' };
  // Not all that failed together at the same moment.
  const afterMs = ending.afterMs ?? mailbox.pauseMs(attempts) * (0.9 + Math.random() / 5);
  return { ...ending, afterMs };
}
