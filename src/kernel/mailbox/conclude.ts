/** Ends mail: fence, endings and effects in one transaction, which without effects is one round trip. */
import { groupBy } from '../group';
import type { Kernel } from '../kernel';
import type { Tx } from '../mysql/transaction';
import { finalEnding, type Ending } from './ending';
import { heldPacket, progress, Superseded, WHILE_HELD, type Lease } from './lease';
import type { At, Mail, Mailbox } from './mailbox';
import { answer, awaitedOf } from './request';
import { settling } from './rows';
import type { FirstRead, MailWork } from './work';

/** An address whose lease this worker holds. */
export interface Held<Body> {
  readonly kernel: Kernel;
  readonly mailbox: Mailbox<Body>;
  readonly work: MailWork<Body>;
  readonly at: At;
  readonly draining: AbortSignal;
  readonly lease: Lease;
  readonly holdMs: number;
  /** Until then, by our clock, nobody else can take the lease. */
  heldUntil: number;
  readonly count: (outcome: string) => void;
  /** For the first mail only: later it is out of date. */
  first: FirstRead | undefined;
}

/** Returns whether some of the mail waits again. */
export async function conclude<Body>(
  held: Held<Body>,
  mails: readonly Mail<Body>[],
  endings: readonly Ending[],
): Promise<boolean> {
  const { kernel, mailbox, lease, holdMs, count } = held;
  const finals = mails.slice(0, endings.length).map((mail, index) => {
    return { mail, ending: finalEnding(mailbox, mail, endings[index]!) };
  });
  await kernel.pause('before-finish');
  const byEnding = [...groupBy(finals, (each) => each.ending)];
  if (byEnding.every(([ending, group]) => isSimple(ending, group))) {
    const ends = byEnding.map(([ending, group]) => settling(kernel.mysql, mailbox, idsOf(group), ending));
    await heldPacket(
      kernel,
      lease,
      holdMs,
      ends.map((end) => end.whereRaw(WHILE_HELD).toSQL()),
    );
  } else {
    await kernel.transaction(async (tx) => {
      if (!(await progress(tx.db, lease, holdMs))) throw new Superseded(lease.address);
      for (const [ending, group] of byEnding) {
        if (isSimple(ending, group)) await settling(tx.db, mailbox, idsOf(group), ending);
        else for (const { mail } of group) await settleOne(tx, held, mail, ending);
      }
    });
  }
  await publishReplies(kernel, finals);
  for (const each of finals) await followUp(held, each);
  for (const { ending } of finals) count(ending.state === 'pending' ? 'later' : ending.state);
  return finals.length < mails.length || finals.some(({ ending }) => ending.state === 'pending');
}

interface Final {
  readonly mail: Mail<unknown>;
  readonly ending: Ending;
}

/** The mail has ended, so a failure here is only logged. It must not end the mail once more. */
async function followUp<Body>({ kernel, mailbox }: Held<Body>, { mail, ending }: Final): Promise<void> {
  try {
    await ending.after?.();
  } catch (error) {
    kernel.log.warn({ err: error, mailbox: mailbox.name, mail: mail.id }, 'mail was handled, but its follow-up failed');
  }
}

const idsOf = (finals: readonly Final[]): number[] => finals.map(({ mail }) => mail.id);

/** Nothing but the ending itself has to be written. */
const isSimple = (ending: Ending, group: readonly Final[]): boolean =>
  !ending.write && ending.state !== 'failed' && !group.some(({ mail }) => awaitedOf(mail) !== undefined);

/** The caller that waits then reads the row. */
const publishReplies = ({ replies }: Kernel, finals: readonly Final[]): Promise<void> =>
  replies.publish(
    finals.flatMap(({ mail, ending }) => {
      const id = ending.state === 'pending' ? undefined : awaitedOf(mail);
      return id === undefined ? [] : [{ id }];
    }),
  );

async function settleOne<Body>(tx: Tx, { mailbox, work }: Held<Body>, mail: Mail<Body>, ending: Ending): Promise<void> {
  // An operator may have discarded it meanwhile.
  if ((await settling(tx.db, mailbox, [mail.id], ending)) === 0) return;
  await ending.write?.(tx);
  await answer(tx.db, mail, ending);
  if (ending.state === 'failed') await work.onDead?.(tx, mail, ending.reason ?? '');
}
