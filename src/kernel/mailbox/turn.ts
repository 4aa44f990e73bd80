/**
 * One turn at an address: a worker takes the lease and handles what is due, in order. Nothing is written but with the end
 * of a mail, in one transaction that first compares the lease: a worker that was overtaken writes nothing, counts
 * nothing, and what it did is done again by another. A lost lease is no failure of the mail.
 */
import { Busy } from '../actor/lease';
import { Superseded } from '../actor/fence';
import { withDeadline } from '../deadline';
import { endingWith } from '../ending';
import { groupBy } from '../group';
import type { Kernel } from '../kernel';
import { CommitUnknown } from '../mysql/outcome';
import type { Tx } from '../mysql/transaction';
import { dead, endingOf, finalEnding, type Ending } from './ending';
import { keep, progress, release, take, type Lease } from './lease';
import type { At, Mail, Mailbox } from './mailbox';
import { answer, awaitedOf } from './request';
import { mailOf, next, nextStatement, settle } from './rows';
import type { MailWork } from './work';

/** Longer than work that was told to end takes to do so. */
const GRACE_MS = 2000;
/** Whoever begins it dies: so often in a row that the mail is to blame. */
const MOST_TAKEOVERS = 10;
const READ_AHEAD = 10;

interface Held<Body> {
  readonly kernel: Kernel;
  readonly mailbox: Mailbox<Body>;
  readonly work: MailWork<Body>;
  readonly at: At;
  readonly draining: AbortSignal;
  readonly lease: Lease;
  readonly holdMs: number;
  readonly count: (outcome: string) => void;
}

export interface TurnParts<Body> {
  readonly mailbox: Mailbox<Body>;
  readonly work: MailWork<Body>;
  readonly at: At;
  readonly draining: AbortSignal;
}

/** Throws Busy while another worker is at it, and Superseded if another has taken over. */
export async function takeTurn<Body>(kernel: Kernel, parts: TurnParts<Body>): Promise<void> {
  const { mailbox, work, at } = parts;
  const { mysql, settings, metrics } = kernel;
  const holdMs = mailbox.isRepeatable ? settings.leaseMs : mailbox.attemptMs + 2 * GRACE_MS;
  const limit = readAhead(mailbox);
  const reads = work.fill ? [] : [nextStatement(mysql, mailbox, at.id, limit)];
  const taken = await take(mysql, `${mailbox.name}/${at.id}`, holdMs, reads);
  if ('leftMs' in taken) throw new Busy('another worker handles this mail', taken.leftMs + 10);
  const counter = metrics.counter('partyline_mailbox_mail_total', 'Mail handled, by mailbox and outcome', LABELS);
  const count = (outcome: string) => counter({ mailbox: mailbox.name, outcome });
  const held = { kernel, ...parts, lease: taken.lease, holdMs, count };
  try {
    await handleDue(held, taken.read[0] && mailOf(mailbox, taken.read[0]));
  } catch (error) {
    if (error instanceof Superseded) count('superseded');
    throw error;
  } finally {
    // If MySQL is away, the lease runs out.
    await release(mysql, taken.lease).catch(() => {});
  }
}

const LABELS = ['mailbox', 'outcome'];
const readAhead = ({ batch = 1, mostInATurn }: Mailbox<unknown>): number =>
  Math.min(Math.max(batch, READ_AHEAD), mostInATurn);

async function handleDue<Body>(held: Held<Body>, first: readonly Mail<Body>[] | undefined): Promise<void> {
  const { kernel, mailbox, work, at, draining } = held;
  const { batch = 1, mostInATurn } = mailbox;
  let mails = first;
  for (let handled = 0; handled < mostInATurn;) {
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

/** Says whether some of them wait for another attempt. */
async function handleTogether<Body>(
  held: Held<Body>,
  mails: readonly Mail<Body>[],
  isFirst: boolean,
): Promise<boolean> {
  const { lease } = held;
  if (isFirst && lease.takeovers >= MOST_TAKEOVERS) {
    await conclude(held, mails.slice(0, 1), [dead(`Its worker died ${lease.takeovers} times in a row`)]);
    return mails.length > 1;
  }
  const endings = await attempt(held, mails);
  try {
    return await conclude(held, mails, endings);
  } catch (error) {
    if (error instanceof Superseded || error instanceof CommitUnknown) throw error;
    // What it was to write could not be written: nothing was.
    const ending = endingOf(error);
    return conclude(
      held,
      mails,
      mails.map(() => ending),
    );
  }
}

async function attempt<Body>(held: Held<Body>, mails: readonly Mail<Body>[]): Promise<readonly Ending[]> {
  const { kernel, mailbox, work, at, draining, lease, holdMs } = held;
  const lost = new AbortController();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), mailbox.attemptMs);
  const renewal = setInterval(() => {
    const isStillHeld = mailbox.isRepeatable ? keep(kernel.mysql, lease, holdMs) : Promise.resolve(true);
    // If MySQL is away for a moment, the lease may run out; the transaction at the end tells.
    isStillHeld.then((isHeld) => !isHeld && lost.abort()).catch(() => {});
  }, holdMs / 3);
  try {
    return await endingWith([lost.signal, late.signal], ({ signal }) => {
      const commit = <T>(write: (tx: Tx) => Promise<T>) => commitFenced(held, write);
      const handling = work.handle({ kernel, at: at.id, signal, draining, commit }, mails);
      return withDeadline(`The handler of ${mailbox.name}`, mailbox.attemptMs + GRACE_MS, handling);
    });
  } catch (error) {
    if (lost.signal.aborted) throw new Superseded(lease.address);
    // The process ends, another has taken over, or others come first: none of this says anything of the mail.
    if (draining.aborted || error instanceof Superseded || error instanceof Busy) throw error;
    kernel.log.warn({ err: error, mailbox: mailbox.name, mail: mails[0]?.id }, 'mail could not be handled');
    const ending = endingOf(error);
    return mails.map(() => ending);
  } finally {
    clearTimeout(timer);
    clearInterval(renewal);
  }
}

/** For what has to be written before the end, such as that somebody outside is about to be called. */
const commitFenced = <T>({ kernel, lease, holdMs }: Held<unknown>, write: (tx: Tx) => Promise<T>): Promise<T> =>
  kernel.transaction(async (tx) => {
    if (!(await keep(tx.db, lease, holdMs))) throw new Superseded(lease.address);
    return write(tx);
  });

/** The fence, the ends and the effects in one transaction. Says whether some of the mail waits again. */
async function conclude<Body>(
  held: Held<Body>,
  mails: readonly Mail<Body>[],
  endings: readonly Ending[],
): Promise<boolean> {
  const { kernel, mailbox, lease, holdMs, count } = held;
  const finals = mails.slice(0, endings.length).map((mail, index) => {
    return { mail, ending: finalEnding(mailbox, mail, endings[index]!) };
  });
  await kernel.pause('before-finish');
  await kernel.transaction(async (tx) => {
    if (!(await progress(tx.db, lease, holdMs))) throw new Superseded(lease.address);
    for (const [ending, group] of groupBy(finals, (each) => each.ending)) {
      const ids = group.map(({ mail }) => mail.id);
      const isAwaited = group.some(({ mail }) => awaitedOf(mail) !== undefined);
      const isSimple = !ending.write && ending.state !== 'failed' && !isAwaited;
      if (isSimple) await settle(tx.db, mailbox, ids, ending);
      else for (const { mail } of group) await settleOne(tx, held, mail, ending);
    }
  });
  await tellAwaited(kernel, finals);
  for (const { ending } of finals) await ending.after?.();
  for (const { ending } of finals) count(ending.state === 'pending' ? 'later' : ending.state);
  return finals.length < mails.length || finals.some(({ ending }) => ending.state === 'pending');
}

/** Whoever waits looks at the row. */
const tellAwaited = ({ replies }: Kernel, finals: readonly { mail: Mail<unknown>; ending: Ending }[]): Promise<void> =>
  replies.tell(
    finals.flatMap(({ mail, ending }) => {
      const id = ending.state === 'pending' ? undefined : awaitedOf(mail);
      return id === undefined ? [] : [{ id }];
    }),
  );

async function settleOne<Body>(tx: Tx, { mailbox, work }: Held<Body>, mail: Mail<Body>, ending: Ending): Promise<void> {
  // An operator may have discarded it meanwhile.
  if ((await settle(tx.db, mailbox, [mail.id], ending)) === 0) return;
  await ending.write?.(tx);
  await answer(tx.db, mail, ending);
  if (ending.state === 'failed') await work.onDead?.(tx, mail, ending.reason ?? '');
}
