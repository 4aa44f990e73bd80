/** Removes leftovers of an older release from Redis: schedules, and jobs for work that is now found by its rows. */
import type { Workers } from '../jobs/consume';
import { forgetSchedules } from '../jobs/forget-schedules';
import type { Kernel } from '../kernel';
import { FormerProcesses } from './former-processes';
import { QUEUES } from './mailbox';

const LOOK_AGAIN_MS = 5000;

/** At once, or when the last worker of release 0.1 has ended: it would restore its schedules, and needs its jobs. */
export async function clearUp(kernel: Kernel, workers: Workers): Promise<void> {
  const former = new FormerProcesses('worker');
  const clear = async (): Promise<boolean> => {
    if (await former.areThere(kernel)) return false;
    await forgetSchedules(kernel, workers);
    await forgetJobs(kernel, workers);
    return true;
  };
  if (await clear()) return;
  const timer = setInterval(() => {
    clear().then(
      (isDone) => isDone && clearInterval(timer),
      (error: Error) => kernel.log.debug({ error }, 'could not clean up after the previous release; trying again'),
    );
  }, LOOK_AGAIN_MS);
  kernel.lifecycle.on('jobs', 'clearing up', () => clearInterval(timer));
}

/** Removes jobs from queues that a mailbox's queue has replaced. */
async function forgetJobs({ jobs, log }: Kernel, workers: Workers): Promise<void> {
  const names = new Set(await jobs.registry.names());
  for (const { job } of Object.values(workers)) {
    const former = job.name.startsWith(QUEUES) ? job.name.slice(QUEUES.length) : '';
    if (!names.has(former)) continue;
    const queue = await jobs.registry.queue(former);
    if ((await queue.count()) === 0) continue;
    await queue.drain(true);
    log.info({ queue: former }, 'removed jobs of the previous release; a sweep finds their work by its rows');
  }
}
