/** Reports each queue admin's pending items, their age, and its dead letters. */
import type { Kernel } from '../../kernel/kernel';
import type { DeskReport, Desks } from '../model/work';

export const reportDesks = (kernel: Kernel, desks: Desks): Promise<DeskReport[]> =>
  Promise.all(
    desks.map(async ({ name, about, remedies, ...desk }) => ({
      name,
      about,
      remedies,
      ...(await desk.backlog(kernel)),
    })),
  );
