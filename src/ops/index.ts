/** What belongs to those who run the server, as one product beside the two that users see. */
import { join } from 'node:path';
import type { Desk } from '../kernel/jobs/desk';
import { queueDesk } from '../kernel/jobs/queue-desk';
import { openRateLimit } from '../kernel/http/rate-limit';
import type { Mount, Product } from '../kernel/product';
import type { Access } from './http/access';
import { jobBoard } from './http/board';
import { opsDialect } from './http/dialect';
import { queueRoutes } from './http/queues';
import { workRoutes } from './http/work';
import { measureWork } from './queries/measure-work';

/** From one address. */
const WRONG_KEYS = { seconds: 60, requests: 300 };

export interface OpsOptions {
  /** Those of the products that it looks after. */
  readonly desks: readonly Desk[];
  /** Whether it answers 404 to the paths that no other product has. */
  readonly refusesRest: boolean;
}

export function ops({ desks: others, refusesRest }: OpsOptions): Product<Access> {
  const desks = [...others, queueDesk];
  return {
    name: 'ops',
    migrations: join(__dirname, 'store/migrations'),
    desks,
    open(kernel) {
      measureWork(kernel, desks);
      return Promise.resolve({ kernel, wrongKeys: openRateLimit(kernel, 'operator', WRONG_KEYS) });
    },
    pages: (access) => [jobBoard(access)],
    mount(access) {
      const dialect = opsDialect(access);
      const rest: Mount = { prefix: '', dialect, routes: [] };
      return [
        { prefix: '/ops/api', dialect, routes: [...queueRoutes, ...workRoutes(desks)] },
        ...(refusesRest ? [rest] : []),
      ];
    },
  };
}
