/** How an attempt at a mail ended, and what is written with that. */
import { Fault, type FaultKind } from '../fault';
import type { Statement } from '../mysql/commit-statements';
import type { PacketReply } from '../mysql/packet';
import type { Tx } from '../mysql/transaction';
import type { AnyMailbox, Mail } from './mailbox';

export interface Ending {
  readonly state: 'done' | 'failed' | 'dropped' | 'pending';
  readonly reason: string | null;
  /** Only if pending: the delay before the next attempt. */
  readonly afterMs?: number;
  /** False if the attempt should not count, for example because a circuit breaker is open. */
  readonly isCounted?: boolean;
  /** More columns of its row. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** The effects: written once, together with the ending, and not at all if another worker has taken over. */
  readonly write?: (tx: Tx) => Promise<unknown>;
  /** The same in the round trip of the ending. They must depend on WHEN_ENDED. */
  readonly statements?: readonly Statement[];
  /** The reply to a caller that waits for the mail; a fault if it is not done. */
  readonly answer?: unknown;
  readonly fault?: Fault;
  /** Runs after the commit, with the replies to its statements; lost if the worker dies before. */
  readonly after?: (replies: readonly PacketReply[]) => unknown;
}

/** A condition for statements of an ending: the lease is held, and no operator has discarded the mail. */
export const WHEN_ENDED = '@ended = 1';

type More = Pick<Ending, 'set' | 'write' | 'statements' | 'answer' | 'fault' | 'after'>;

export const done = (more: More = {}): Ending => ({ state: 'done', reason: null, ...more });
/** There was nothing left to do. */
export const dropped = (reason: string, more: More = {}): Ending => ({ state: 'dropped', reason, ...more });
/** A dead letter: a retry would change nothing. */
export const dead = (reason: string, more: More = {}): Ending => ({ state: 'failed', reason, ...more });
/** Failed, and retried unless that was the last attempt. */
export const retry = (reason: string, more: More & { readonly afterMs?: number } = {}): Ending => ({
  state: 'pending',
  reason,
  ...more,
});
/** It waits for something else; this does not count as an attempt. */
export const postponed = (reason: string | null, afterMs: number, more: More = {}): Ending => ({
  state: 'pending',
  reason,
  afterMs,
  isCounted: false,
  ...more,
});

/** Kinds of fault that may pass, and so are retried. */
const PASSING: ReadonlySet<FaultKind> = new Set(['unavailable', 'upstream', 'timeout', 'too-many', 'internal']);

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);

/** A fault of any other kind is an answer, and would be the same again. */
export const endingOf = (error: unknown): Ending =>
  error instanceof Fault && !PASSING.has(error.kind)
    ? dead(messageOf(error), { fault: error })
    : retry(messageOf(error), error instanceof Fault ? { fault: error } : {});

/** The ending to write: mail that has failed too often, or for too long, becomes a dead letter. */
export function finalEnding(mailbox: AnyMailbox, { attempts, ageMs }: Mail<unknown>, ending: Ending): Ending {
  if (ending.state !== 'pending' || ending.isCounted === false) return ending;
  const isLast = attempts + 1 >= mailbox.attempts || ageMs >= (mailbox.giveUpMs ?? Infinity);
  if (isLast) return { ...ending, state: 'failed' };
  // Jitter, so that mail that failed together is not retried together.
  const afterMs = ending.afterMs ?? mailbox.pauseMs(attempts) * (0.9 + Math.random() / 5);
  return { ...ending, afterMs };
}
