/** The rows that hold the replies to mail: the truth to fall back on when a published reply is lost. */
import { Fault, recordFault, restoreFault, type FaultRecord } from '../fault';
import type { Database } from '../mysql/pool';
import type { Statement } from '../mysql/commit-statements';

export interface Answer {
  readonly id: string;
  readonly state: 'pending' | 'done' | 'failed';
  readonly answer: string | null;
}

export const pendingReply = (id: string, job: string): Statement => ({
  sql: "INSERT INTO kernel_job_requests (id, job, state, created_at) VALUES (?, ?, 'pending', NOW(3))",
  bindings: [id, job],
});

export async function finishedAmong(db: Database, ids: readonly string[]): Promise<Answer[]> {
  return db('kernel_job_requests').whereIn('id', ids).whereNot('state', 'pending').select('id', 'state', 'answer');
}

/** The first reply stands: a repeated job changes nothing. */
export async function finishReply(
  db: Database,
  id: string,
  result: { value: unknown } | { fault: Fault },
): Promise<void> {
  const [state, answer] = 'fault' in result ? ['failed', recordFault(result.fault)] : ['done', result.value ?? null];
  await db('kernel_job_requests')
    .where({ id, state: 'pending' })
    .update({ state, answer: JSON.stringify(answer), finished_at: db.raw('NOW(3)') });
}

/** Returns the value of a reply, or throws its fault. Undefined means that no reply came in time. */
export function readReply<T>(answered: Answer | undefined): T {
  if (!answered) throw new Fault('timeout', 'No answer in time; it may still be done', { code: 'NO_ANSWER' });
  const { state, answer } = answered;
  const value: unknown = JSON.parse(answer ?? 'null');
  if (state === 'failed') throw restoreFault(value as FaultRecord);
  return value as T;
}
