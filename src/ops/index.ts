/** What belongs to those who run the server, as one product beside the two that users see. */
import { join } from 'node:path';
import type { Desk } from '../kernel/jobs/desk';
import { queueDesk } from '../kernel/jobs/queue-desk';
import type { Product } from '../kernel/product';
import { jobBoard } from './http/board';
import { opsDialect } from './http/dialect';
import { queueRoutes } from './http/queues';
import { workRoutes } from './http/work';
import { measureWork } from './queries/measure-work';

/** `others`: the desks of the products it is to look after. */
export function ops(others: readonly Desk[]): Product {
  const desks = [...others, queueDesk];
  return {
    name: 'ops',
    migrations: join(__dirname, 'store/migrations'),
    desks,
    open: (kernel) => Promise.resolve(measureWork(kernel, desks)),
    pages: (kernel) => [jobBoard(kernel)],
    mount: () => ({ prefix: '/ops/api', dialect: opsDialect, routes: [...queueRoutes, ...workRoutes(desks)] }),
  };
}
