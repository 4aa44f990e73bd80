/** Removes the schedules of workers that an older release had: Redis keeps them, and no worker takes what they make. */
import type { Kernel } from '../kernel';
import type { Workers } from './consume';

/** All workers that there are must be given, also those that run elsewhere. */
export async function forgetSchedules({ jobs, log }: Pick<Kernel, 'jobs' | 'log'>, workers: Workers): Promise<void> {
  const declared = new Set(Object.values(workers).flatMap(({ job, schedule }) => (schedule ? [job.name] : [])));
  for (const name of await jobs.registry.names()) {
    if (declared.has(name)) continue;
    const queue = await jobs.registry.queue(name);
    for (const { key } of await queue.getJobSchedulers()) {
      await queue.removeJobScheduler(key);
      log.info({ queue: name }, 'removed a schedule that no worker has any more');
    }
  }
}
