/** Ends mail: fence, endings and effects in one transaction, which without effects is one round trip. */
import { groupBy } from '../group';
import type { Answer } from './replies';
import type { Kernel } from '../kernel';
import type { Statement } from '../mysql/commit-statements';
import { send } from '../mysql/direct';
import type { PacketReply } from '../mysql/packet';
import type { Tx } from '../mysql/transaction';
import type { Replies } from '../replies';
import { finalEnding, type Ending } from './ending';
import { heldPacket, progress, progressing, Superseded, WHILE_HELD, type Lease } from './lease';
import type { At, Mail, Mailbox } from './mailbox';
import { answer, awaitedOf } from './request';
import { settling } from './rows';
import type { MailWork } from './work';

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
  const replies = new Map<Ending, readonly PacketReply[]>();
  if (byEnding.every(([ending, group]) => isSimple(ending, group))) {
    const ends = byEnding.map(([ending, group]) => ({ ending, statements: settlingAll(held, idsOf(group), ending) }));
    const all = ends.flatMap(({ statements }) => statements);
    const came = [...(await heldPacket(kernel, progressing(kernel.mysql, lease, holdMs), lease, all))];
    for (const { ending, statements } of ends) replies.set(ending, came.splice(0, statements.length).slice(2));
  } else {
    await kernel.transaction(async (tx) => {
      if (!(await progress(tx.db, lease, holdMs))) throw new Superseded(lease.address);
      for (const [ending, group] of byEnding) {
        if (isSimple(ending, group) && !ending.statements) await settling(tx.db, mailbox, idsOf(group), ending);
        else for (const { mail } of group) replies.set(ending, await settleOne(tx, held, mail, ending));
      }
    });
  }
  await publishReplies(kernel.replies, finals);
  for (const each of finals) await followUp(held, each, replies.get(each.ending) ?? []);
  for (const { ending } of finals) count(ending.state === 'pending' ? 'later' : ending.state);
  return finals.length < mails.length || finals.some(({ ending }) => ending.state === 'pending');
}

interface Final {
  readonly mail: Mail<unknown>;
  readonly ending: Ending;
}

/** The mail has ended, so a failure here is only logged. It must not end the mail once more. */
async function followUp<Body>(
  { kernel, mailbox }: Held<Body>,
  { mail, ending }: Final,
  replies: readonly PacketReply[],
): Promise<void> {
  try {
    await ending.after?.(replies);
  } catch (error) {
    kernel.log.warn({ err: error, mailbox: mailbox.name, mail: mail.id }, 'mail was handled, but its follow-up failed');
  }
}

const idsOf = (finals: readonly Final[]): number[] => finals.map(({ mail }) => mail.id);

const NOTE_ENDED: Statement = { sql: 'SET @ended = ROW_COUNT()', bindings: [] };

const settlingAll = <Body>({ kernel, mailbox }: Held<Body>, ids: readonly number[], ending: Ending): Statement[] => [
  settling(kernel.mysql, mailbox, ids, ending).whereRaw(WHILE_HELD).toSQL(),
  ...(ending.statements ? [NOTE_ENDED, ...ending.statements] : []),
];

/** Nothing has to be written that needs a transaction of several round trips. */
const isSimple = (ending: Ending, group: readonly Final[]): boolean =>
  !ending.write && ending.state !== 'failed' && !group.some(({ mail }) => awaitedOf(mail) !== undefined);

/** The caller that waits then reads the row. */
const publishReplies = (replies: Replies<Answer>, finals: readonly Final[]): Promise<void> =>
  replies.publish(
    finals.flatMap(({ mail, ending }) => {
      const id = ending.state === 'pending' ? undefined : awaitedOf(mail);
      return id === undefined ? [] : [{ id }];
    }),
  );

async function settleOne<Body>(
  tx: Tx,
  { mailbox, work }: Held<Body>,
  mail: Mail<Body>,
  ending: Ending,
): Promise<PacketReply[]> {
  // An operator may have discarded it meanwhile.
  if ((await settling(tx.db, mailbox, [mail.id], ending)) === 0) return [];
  const replies: PacketReply[] = [];
  if (ending.statements) await send(tx.db, 'SET @ended = 1', []);
  for (const { sql, bindings } of ending.statements ?? []) {
    replies.push((await send(tx.db, sql, bindings)) as unknown as PacketReply);
  }
  await ending.write?.(tx);
  await answer(tx.db, mail, ending);
  if (ending.state === 'failed') await work.onDead?.(tx, mail, ending.reason ?? '');
  return replies;
}
