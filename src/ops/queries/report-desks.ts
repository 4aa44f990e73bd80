/** How much waits at each desk, how long, and how many dead letters lie there. */
import type { Backlog, Desk } from '../../kernel/jobs/desk';
import type { Kernel } from '../../kernel/kernel';

export type DeskReport = Backlog & Pick<Desk, 'name' | 'about' | 'remedies'>;

export const reportDesks = (kernel: Kernel, desks: readonly Desk[]): Promise<DeskReport[]> =>
  Promise.all(
    desks.map(async ({ name, about, remedies, ...desk }) => ({
      name,
      about,
      remedies,
      ...(await desk.backlog(kernel)),
    })),
  );
