/** Mail whose sender waits for what comes of it. The answer is a row, written together with the end of the mail. */
import type { Knex } from 'knex';
import { Fault } from '../fault';
import { newId } from '../id';
import { finishReply, insertPendingReply, readReply } from '../jobs/job-replies';
import type { Kernel } from '../kernel';
import type { Ending } from './ending';
import type { Mail, Mailbox } from './mailbox';
import { post, type NewMail } from './own-mail';

/** What the mail of a request has beside its body: the name of the answer that is awaited. */
interface Awaited {
  readonly awaitedReply?: string;
}

/** The answer of the handler, or its fault thrown anew. After the deadline nobody knows whether the mail was handled. */
export async function request<Answer, Body extends object>(
  kernel: Kernel,
  mailbox: Mailbox<Body>,
  mail: NewMail<Body>,
  deadlineMs: number = kernel.settings.askDeadlineMs,
): Promise<Answer> {
  const id = newId();
  // Before it is written: a fast worker must not be faster than we listen.
  const waited = kernel.replies.wait(id, deadlineMs);
  await kernel.transaction(async (tx) => {
    await insertPendingReply(tx, id, mailbox.name);
    const awaited: Awaited = { awaitedReply: id };
    await post(tx, mailbox, { ...mail, body: { ...mail.body, ...awaited } });
  });
  return readReply<Answer>(await waited);
}

/** The answer that somebody waits for, if so. */
export const awaitedOf = ({ body }: Mail<unknown>): string | undefined => (body as Awaited | null)?.awaitedReply;

/** Nothing is answered while the mail waits for another attempt. */
export async function answer(db: Knex, mail: Mail<unknown>, ending: Ending): Promise<void> {
  const id = awaitedOf(mail);
  if (id === undefined || ending.state === 'pending') return;
  const isDone = ending.state === 'done';
  const fault = ending.fault ?? new Fault('internal', 'The work failed');
  await finishReply(db, id, isDone ? { value: ending.answer } : { fault });
}
