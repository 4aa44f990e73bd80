/** A Redis that lost its data lost the jobs in it too: those still in the outbox are put into their queues again. */
import type { Kernel } from '../kernel';
import { JOB_CARRIER } from './job';

/** Lies beside the jobs: it is gone exactly when they are. */
const markOf = (kernel: Kernel): string => `${kernel.namespace}:kept`;

/** Whether Redis answers and has lost its data since jobs were last restored. */
export async function hasLostJobs(kernel: Kernel): Promise<boolean> {
  return (await kernel.redis.commands.exists(markOf(kernel))) === 0;
}

/**
 * Called whenever Redis has become reachable, or was seen without the mark. A job that was done already is then done
 * again, which must change nothing: that is what every job promises.
 */
export async function restoreJobs(kernel: Kernel): Promise<void> {
  if (!(await hasLostJobs(kernel))) return;
  const jobs = await kernel
    .mysql('kernel_outbox')
    .where({ carrier: JOB_CARRIER, is_replayable: false })
    .whereNotNull('carried_at')
    .update({ carried_at: null, claimed_until: null });
  // Last: a process that dies before this line leaves the work to the next one.
  await kernel.redis.commands.set(markOf(kernel), '1');
  if (jobs > 0) kernel.log.warn({ jobs }, 'redis lost its data; putting jobs into their queues again');
}
