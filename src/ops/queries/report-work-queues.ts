/** Reports each queue admin's pending items, their age, and its dead letters. */
import type { Kernel } from '../../kernel/kernel';
import type { WorkQueueReport, WorkQueueAdmins } from '../model/work';

/** One after another: there are more of them than MySQL connections, and requests would wait for all. */
export async function reportWorkQueues(kernel: Kernel, admins: WorkQueueAdmins): Promise<WorkQueueReport[]> {
  const reports: WorkQueueReport[] = [];
  for (const { name, about, remedies, ...admin } of admins) {
    reports.push({ name, about, remedies, ...(await admin.backlog(kernel)) });
  }
  return reports;
}
