/**
 * One turn at an address: a worker takes the lease and handles due mail in order. Effects are written with the end of a
 * mail, in one transaction that checks the lease first. So a worker that has lost its lease writes and counts nothing,
 * and another worker repeats its work. A lost lease is no failure of the mail.
 */
import type { Knex } from 'knex';
import { Busy } from '../jobs/busy';
import { withDeadline } from '../deadline';
import { endingWith } from '../ending';
import type { Kernel } from '../kernel';
import { CommitUnknown, isUnreachable } from '../mysql/outcome';
import type { Tx } from '../mysql/transaction';
import { conclude, type Held } from './conclude';
import { dead, endingOf, type Ending } from './ending';
import { heldPacket, isHeld, keep, keeping, leaseAddress, release, Superseded, take } from './lease';
import type { AnyMailbox, At, Mail, Mailbox } from './mailbox';
import { mailOf, next, nextStatement } from './rows';
import type { MailTurn, MailWork } from './work';

/** Longer than aborted work takes to end. */
const GRACE_MS = 2000;
/** If this many workers in a row die at a mail, the mail is to blame. */
const MAX_TAKEOVERS = 10;
const READ_AHEAD = 10;
/** How often a worker that finds the address taken looks again: the holder may finish long before its lease expires. */
const LOOK_AGAIN_MS = 500;

export interface TurnParts<Body> {
  readonly mailbox: Mailbox<Body>;
  readonly work: MailWork<Body>;
  readonly at: At;
  readonly draining: AbortSignal;
}

/** Throws Busy while another worker holds the lease, and Superseded if another has taken over. */
export async function takeTurn<Body>(kernel: Kernel, parts: TurnParts<Body>): Promise<void> {
  const { mailbox, work, at } = parts;
  const { mysql, settings, metrics } = kernel;
  const holdMs = mailbox.isRepeatable ? settings.leaseMs : mailbox.attemptMs + 2 * GRACE_MS;
  const limit = readAhead(mailbox);
  const mailFirst = work.fill ? [] : [nextStatement(mysql, mailbox, at.id, limit)];
  const requestedAt = Date.now();
  const taken = await take(mysql, leaseAddress(mailbox, at.id), holdMs, mailFirst);
  if ('leftMs' in taken) {
    throw new Busy('another worker handles this mail', Math.min(taken.leftMs + 10, LOOK_AGAIN_MS));
  }
  const counter = metrics.counter('partyline_mailbox_mail_total', 'Mail handled, by mailbox and outcome', LABELS);
  const count = (outcome: string) => counter({ mailbox: mailbox.name, outcome });
  const mails = work.fill ? undefined : mailOf(mailbox, taken.read.at(-1)!);
  try {
    const { lease } = taken;
    await handleDue({ kernel, ...parts, lease, holdMs, heldUntil: requestedAt + holdMs, count }, mails);
  } catch (error) {
    if (error instanceof Superseded) count('superseded');
    throw error;
  } finally {
    // If MySQL is unreachable, the lease expires.
    await release(mysql, taken.lease).catch(() => {});
  }
}

const LABELS = ['mailbox', 'outcome'];

/** Whether a worker has its turn at an address now. */
export const isHandled = (db: Knex, mailbox: AnyMailbox, id: string): Promise<boolean> =>
  isHeld(db, leaseAddress(mailbox, id));
const readAhead = ({ batch = 1, maxInATurn }: Mailbox<unknown>): number =>
  Math.min(Math.max(batch, READ_AHEAD), maxInATurn);

async function handleDue<Body>(held: Held<Body>, first: readonly Mail<Body>[] | undefined): Promise<void> {
  const { kernel, mailbox, work, at, draining } = held;
  const { batch = 1, maxInATurn } = mailbox;
  let mails = first;
  for (let handled = 0; handled < maxInATurn;) {
    if (!mails) {
      await work.fill?.(at.id);
      mails = await next(kernel.mysql, mailbox, at.id, readAhead(mailbox));
    }
    if (mails.length === 0) return;
    for (let from = 0; from < mails.length; from += batch) {
      if (draining.aborted) return;
      const together = mails.slice(from, from + batch);
      const isAnyWaiting = await handleTogether(held, together, handled === 0);
      if (isAnyWaiting && mailbox.order === 'strict') return;
      handled += together.length;
    }
    mails = undefined;
  }
}

/** Returns whether some of them wait for another attempt. */
async function handleTogether<Body>(
  held: Held<Body>,
  mails: readonly Mail<Body>[],
  isFirst: boolean,
): Promise<boolean> {
  const { lease } = held;
  if (isFirst && lease.takeovers >= MAX_TAKEOVERS) {
    await conclude(held, mails.slice(0, 1), [dead(`Its worker died ${lease.takeovers} times in a row`)]);
    return mails.length > 1;
  }
  const endings = await attempt(held, mails);
  try {
    return await conclude(held, mails, endings);
  } catch (error) {
    if (error instanceof Superseded || error instanceof CommitUnknown) throw error;
    // MySQL is away, which is no failure of the mail: it is handled again when a sweep finds it.
    if (isUnreachable(error)) throw error;
    // The effects could not be written, so nothing was. Mail without an ending stays as it is.
    const ending = endingOf(error);
    return conclude(
      held,
      mails,
      endings.map(() => ending),
    );
  }
}

async function attempt<Body>(held: Held<Body>, mails: readonly Mail<Body>[]): Promise<readonly Ending[]> {
  const { kernel, mailbox, work, at, draining, lease, holdMs } = held;
  const lost = new AbortController();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), mailbox.attemptMs);
  const renew = async () => {
    const requestedAt = Date.now();
    if (await keep(kernel.mysql, lease, holdMs)) held.heldUntil = requestedAt + holdMs;
    else lost.abort();
  };
  // If MySQL is briefly unreachable, the lease may expire; the final transaction detects that.
  const renewal = setInterval(() => mailbox.isRepeatable && void renew().catch(() => {}), holdMs / 3);
  try {
    return await endingWith([lost.signal, late.signal], ({ signal }) => {
      const turn: MailTurn = {
        kernel,
        at: at.id,
        signal,
        draining,
        isOver: () => signal.aborted || draining.aborted,
        ensureLease: () => ensureLease(held),
        commit: (write) => commitFenced(held, write),
        packet: (statements) => heldPacket(kernel, keeping(kernel.mysql, lease, holdMs), lease, statements),
      };
      const handling = work.handle(turn, mails);
      return withDeadline(`The handler of ${mailbox.name}`, mailbox.attemptMs + GRACE_MS, handling);
    });
  } catch (error) {
    if (lost.signal.aborted) throw new Superseded(lease.address);
    // The process ends, another worker has taken over, or others come first: no failure of the mail.
    if (draining.aborted || error instanceof Superseded || error instanceof Busy) throw error;
    kernel.log.warn({ err: error, mailbox: mailbox.name, mail: mails[0]?.id }, 'could not handle mail');
    const ending = endingOf(error);
    return mails.map(() => ending);
  } finally {
    clearTimeout(timer);
    clearInterval(renewal);
  }
}

const ensureLease = async (held: Held<unknown>): Promise<void> => {
  if (Date.now() >= held.heldUntil) await commitFenced(held, () => Promise.resolve());
};

/** For writes before the end, such as a note that an outside system is about to be called. */
const commitFenced = <T>({ kernel, lease, holdMs }: Held<unknown>, write: (tx: Tx) => Promise<T>): Promise<T> =>
  kernel.transaction(async (tx) => {
    if (!(await keep(tx.db, lease, holdMs))) throw new Superseded(lease.address);
    return write(tx);
  });
