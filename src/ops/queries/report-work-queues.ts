/** Reports each queue admin's pending items, their age, and its dead letters. */
import type { Kernel } from '../../kernel/kernel';
import type { WorkQueueReport, WorkQueueAdmins } from '../model/work';

export const reportWorkQueues = (kernel: Kernel, admins: WorkQueueAdmins): Promise<WorkQueueReport[]> =>
  Promise.all(
    admins.map(async ({ name, about, remedies, ...admin }) => ({
      name,
      about,
      remedies,
      ...(await admin.backlog(kernel)),
    })),
  );
