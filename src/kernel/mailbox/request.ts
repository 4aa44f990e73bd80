/** Mail whose sender waits for a reply. The reply is a row, written together with the end of the mail. */
import type { Knex } from 'knex';
import { Fault } from '../fault';
import { newId } from '../id';
import { finishReply, insertPendingReply, readReply } from '../jobs/job-replies';
import type { Kernel } from '../kernel';
import type { Ending } from './ending';
import type { Mail, Mailbox } from './mailbox';
import { send, type NewMail } from './kernel-mail';

/** What a request adds to the body: the id of the awaited reply. */
interface Awaited {
  readonly awaitedReply?: string;
}

/** Returns the handler's reply, or throws its fault. After the deadline nobody knows whether the mail was handled. */
export async function request<Answer, Body extends object>(
  kernel: Kernel,
  mailbox: Mailbox<Body>,
  mail: NewMail<Body>,
  deadlineMs: number = kernel.settings.jobReplyDeadlineMs,
): Promise<Answer> {
  const id = newId();
  // Before the row is written: a fast worker must not reply before we listen.
  const waited = kernel.replies.wait(id, deadlineMs);
  await kernel.transaction(async (tx) => {
    await insertPendingReply(tx, id, mailbox.name);
    const awaited: Awaited = { awaitedReply: id };
    await send(tx, mailbox, { ...mail, body: { ...mail.body, ...awaited } });
  });
  return readReply<Answer>(await waited);
}

/** The id of the awaited reply, if someone waits. */
export const awaitedOf = ({ body }: Mail<unknown>): string | undefined => (body as Awaited | null)?.awaitedReply;

/** Writes no reply while the mail waits for a retry. */
export async function answer(db: Knex, mail: Mail<unknown>, ending: Ending): Promise<void> {
  const id = awaitedOf(mail);
  if (id === undefined || ending.state === 'pending') return;
  const isDone = ending.state === 'done';
  const fault = ending.fault ?? new Fault('internal', 'The work failed');
  await finishReply(db, id, isDone ? { value: ending.answer } : { fault });
}
