/** A Redis that lost its data lost the jobs in it too: those still in the outbox are put into their queues again. */
import type { Kernel } from '../kernel';
import { JOB_CARRIER } from './job';

/**
 * Called whenever Redis has become reachable. The mark is gone exactly when the data are. A job that was done already is
 * then done again, which must change nothing: that is what every job promises.
 */
export async function restoreJobs(kernel: Kernel): Promise<void> {
  const isNew = await kernel.redis.commands.set(`${kernel.namespace}:kept`, '1', 'NX');
  if (isNew === null) return;
  const jobs = await kernel
    .mysql('kernel_outbox')
    .where({ carrier: JOB_CARRIER, is_replayable: false })
    .whereNotNull('carried_at')
    .update({ carried_at: null, claimed_until: null });
  if (jobs > 0) kernel.log.warn({ jobs }, 'redis lost its data; putting jobs into their queues again');
}
