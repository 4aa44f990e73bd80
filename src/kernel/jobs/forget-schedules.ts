/** Removes the schedules of workers that only an older release had: Redis keeps them, but no worker runs their jobs. */
import type { Kernel } from '../kernel';
import type { Workers } from './consume';

/** `workers` must contain all workers, including those that run elsewhere. */
export async function forgetSchedules({ jobs, log }: Pick<Kernel, 'jobs' | 'log'>, workers: Workers): Promise<void> {
  const declared = new Set(Object.values(workers).flatMap(({ job, schedule }) => (schedule ? [job.name] : [])));
  for (const name of await jobs.registry.names()) {
    if (declared.has(name)) continue;
    const queue = await jobs.registry.queue(name);
    for (const { key } of await queue.getJobSchedulers()) {
      await queue.removeJobScheduler(key);
      log.info({ queue: name }, 'removed a schedule that no worker declares');
    }
  }
}
