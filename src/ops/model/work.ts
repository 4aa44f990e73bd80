/** Work items as operators see them, from every queue admin (`desk` on the wire). */
import type { Backlog, Desk, WorkItem } from '../../kernel/jobs/desk';

export type Desks = readonly Desk[];
export type AtDesk<T> = T & { readonly desk: string };
export const isOf = (tenant: string | undefined, item: WorkItem): boolean =>
  tenant === undefined || item.tenant === tenant;
export type DeskReport = Backlog & Pick<Desk, 'name' | 'about' | 'remedies'>;
