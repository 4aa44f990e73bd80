/** What a product does with the mail of a mailbox. */
import type { Kernel } from '../kernel';
import type { Statement } from '../mysql/commit-statements';
import type { PacketReply } from '../mysql/packet';
import type { Tx } from '../mysql/transaction';
import { endingOf, type Ending } from './ending';
import type { Mail } from './mailbox';

export interface MailTurn {
  readonly kernel: Kernel;
  readonly at: string;
  /** Aborted when the attempt takes too long, or another worker has taken over. */
  readonly signal: AbortSignal;
  /** Aborted when the process shuts down. Long work should then stop and throw, which does not count as an attempt. */
  readonly draining: AbortSignal;
  /** Whether either signal is aborted. */
  isOver(): boolean;
  /**
   * Throws if another worker has taken over. Asks MySQL only if the lease may have expired, as after a freeze. For the
   * moment before a call to another system, which no fence protects.
   */
  ensureLease(): Promise<void>;
  /** Writes during an attempt. If another worker has taken over, it throws, and the handler should too. */
  commit<T>(write: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same in one round trip. Each statement that writes must contain WHILE_HELD. */
  packet(statements: readonly Statement[]): Promise<readonly PacketReply[]>;
}

export interface MailWork<Body> {
  /**
   * Returns one ending per mail, in order; mail at the end without an ending stays as it is. A thrown error is the
   * ending of all of them (see endingOf). Busy is no ending: the turn is retried a little later.
   */
  handle(turn: MailTurn, mails: readonly Mail<Body>[]): Promise<readonly Ending[]>;
  /** Creates mail from other rows, before due mail is read. */
  fill?(at: string): Promise<void>;
  /** Written together with a dead letter. */
  onDead?(tx: Tx, mail: Mail<Body>, reason: string): Promise<unknown>;
}

/** Handles one mail at a time, though the endings of a batch may be written together. */
export const each =
  <Body>(handleOne: (turn: MailTurn, mail: Mail<Body>) => Promise<Ending>): MailWork<Body>['handle'] =>
  async (turn, mails) => {
    const endings: Ending[] = [];
    for (const mail of mails) {
      if (turn.isOver() && endings.length > 0) break;
      try {
        endings.push(await handleOne(turn, mail));
      } catch (error) {
        // The endings so far are written; the rest is left to other workers.
        if (turn.isOver() && endings.length > 0) break;
        if (turn.isOver() || mails.length === 1) throw error;
        endings.push(endingOf(error));
      }
    }
    return endings;
  };
