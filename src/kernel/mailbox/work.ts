/** What a product does with the mail of a mailbox. */
import type { Kernel } from '../kernel';
import type { Rows } from '../mysql/direct';
import type { Statement } from '../mysql/commit-statements';
import type { PacketReply } from '../mysql/packet';
import type { Tx } from '../mysql/transaction';
import { endingOf, type Ending } from './ending';
import type { Mail } from './mailbox';

/** What a worker read when it took the lease, by statement. */
export interface FirstRead {
  readonly rows: readonly Rows[];
  /** A little early rather than late. */
  readonly askedAt: number;
}

export interface MailTurn {
  readonly kernel: Kernel;
  readonly at: string;
  /** Aborted when the attempt takes too long, or another worker has taken over. */
  readonly signal: AbortSignal;
  /** Aborted when the process is to end. What takes long stops then and throws: that counts as no attempt. */
  readonly draining: AbortSignal;
  /** Whether one of the two is. */
  isOver(): boolean;
  /** Only with the first mail of a turn, of work that says what it reads. */
  readonly first: FirstRead | undefined;
  /** Writes in the middle of an attempt, unless another worker has taken over: then it throws, and so should the handler. */
  commit<T>(write: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same in one round trip. Each statement says WHILE_HELD. */
  packet(statements: readonly Statement[]): Promise<readonly PacketReply[]>;
}

export interface MailWork<Body> {
  /**
   * One ending for each mail, in the same order; those at the end that it says nothing of are left as they are. An error
   * is an ending too (see endingOf), of all of them; but Busy is none: the turn is taken again a little later.
   */
  handle(turn: MailTurn, mails: readonly Mail<Body>[]): Promise<readonly Ending[]>;
  /** What the handler has to know first, so that it comes in the round trip of the lease. */
  reads?(at: string): readonly Statement[];
  /** Makes mail of what lies elsewhere, before what is due is read. */
  fill?(at: string): Promise<void>;
  /** Written with the end of a dead letter. */
  onDead?(tx: Tx, mail: Mail<Body>, reason: string): Promise<unknown>;
}

/** For what is done with one mail at a time, though the ends of a batch may be written together. */
export const each =
  <Body>(handleOne: (turn: MailTurn, mail: Mail<Body>) => Promise<Ending>): MailWork<Body>['handle'] =>
  async (turn, mails) => {
    const endings: Ending[] = [];
    for (const mail of mails) {
      if (turn.isOver() && endings.length > 0) break;
      try {
        endings.push(await handleOne(turn, mail));
      } catch (error) {
        // What was done so far is written down; the rest is left to others.
        if (turn.isOver() && endings.length > 0) break;
        if (turn.isOver() || mails.length === 1) throw error;
        endings.push(endingOf(error));
      }
    }
    return endings;
  };
