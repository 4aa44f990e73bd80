/** Work items as operators see them, from every queue admin. */
import type { Backlog, WorkQueueAdmin, WorkItem } from '../../kernel/jobs/work-queue-admin';

export type WorkQueueAdmins = readonly WorkQueueAdmin[];
export type InWorkQueue<T> = T & { readonly workQueue: string };
/** Names of what an item shows by id. */
export interface Named {
  readonly tenantName: string | null;
  readonly subjectName: string | null;
}
export const isOf = (tenant: string | undefined, item: WorkItem): boolean =>
  tenant === undefined || item.tenant === tenant;
export type WorkQueueReport = Backlog & Pick<WorkQueueAdmin, 'name' | 'about' | 'remedies'>;
