/** Work as operators see it, whichever desk it lies at. */
import type { Backlog, Desk } from '../../kernel/jobs/desk';

export type Desks = readonly Desk[];
export type AtDesk<T> = T & { readonly desk: string };
export type DeskReport = Backlog & Pick<Desk, 'name' | 'about' | 'remedies'>;
