import type { WorkQueueAdmin } from '../../../src/kernel/jobs/work-queue-admin';
import type { Kernel } from '../../../src/kernel/kernel';
import { reportWorkQueues } from '../../../src/ops/queries/find-work';

test('Work queues are measured one after another, so that requests find a MySQL connection meanwhile', async () => {
  let running = 0;
  let most = 0;
  const adminOf = (name: string) =>
    ({
      name,
      about: `about ${name}`,
      remedies: [],
      async backlog() {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        return { waiting: 0, oldestMs: null, dead: 0 };
      },
    }) as unknown as WorkQueueAdmin;
  const reports = await reportWorkQueues({} as Kernel, ['first', 'second', 'third'].map(adminOf));
  expect(reports.map(({ name }) => name)).toEqual(['first', 'second', 'third']);
  expect(most).toBe(1);
});
