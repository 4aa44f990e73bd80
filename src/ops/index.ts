/** What belongs to those who run the server, as one product beside the two that users see. */
import { join } from 'node:path';
import type { Desk } from '../kernel/jobs/desk';
import { queueDesk } from '../kernel/jobs/queue-desk';
import type { Mount, Product } from '../kernel/product';
import { jobBoard } from './http/board';
import { opsDialect } from './http/dialect';
import { queueRoutes } from './http/queues';
import { workRoutes } from './http/work';
import { measureWork } from './queries/measure-work';

export interface OpsOptions {
  /** Those of the products that it looks after. */
  readonly desks: readonly Desk[];
  /** Whether it answers 404 to the paths that no other product has. */
  readonly refusesRest: boolean;
}

export function ops({ desks: others, refusesRest }: OpsOptions): Product {
  const desks = [...others, queueDesk];
  const rest: Mount = { prefix: '', dialect: opsDialect, routes: [] };
  return {
    name: 'ops',
    migrations: join(__dirname, 'store/migrations'),
    desks,
    open: (kernel) => Promise.resolve(measureWork(kernel, desks)),
    pages: (kernel) => [jobBoard(kernel)],
    mount: () => [
      { prefix: '/ops/api', dialect: opsDialect, routes: [...queueRoutes, ...workRoutes(desks)] },
      ...(refusesRest ? [rest] : []),
    ],
  };
}
