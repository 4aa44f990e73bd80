/** Mail whose sender waits for a reply. The reply is a row, written together with the end of the mail. */
import type { Knex } from 'knex';
import { Fault } from '../fault';
import { newId } from '../id';
import { finishReply, pendingReply, readReply } from './replies';
import type { Kernel } from '../kernel';
import { commitWrites, type Writes } from '../mysql/commit-statements';
import type { Ending } from './ending';
import type { Mail } from './mailbox';

/** What a request adds to the body: the id of the awaited reply. */
interface Awaited {
  readonly awaitedReply?: string;
}

export type RequestParts = Pick<Kernel, 'jobs' | 'mysql' | 'pause' | 'replies' | 'settings'>;

export async function request<Answer>(
  parts: RequestParts,
  { name, deadlineMs }: { readonly name: string; readonly deadlineMs: number },
  send: (tx: Writes, awaited: Awaited) => void,
): Promise<Answer> {
  const id = newId();
  // Before the row is written: a fast worker must not reply before we listen.
  const waited = parts.replies.wait(id, deadlineMs);
  await commitWrites(parts, (tx) => {
    tx.writeLast(pendingReply(id, name));
    send(tx, { awaitedReply: id });
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
