/** What belongs to those who run the server, as one product beside the two that users see. */
import { join } from 'node:path';
import type { Desk } from '../kernel/jobs/desk';
import { queueDesk } from '../kernel/jobs/queue-desk';
import { openRateLimit } from '../kernel/http/rate-limit';
import type { Product } from '../kernel/product';
import type { TenantKeeper } from '../kernel/tenants';
import { startReporting } from './commands/report-node';
import type { Access } from './http/access';
import type * as Mounts from './http/mounts';
import type { Installation } from './queries/examine';
import { measureWork } from './queries/measure-work';

/** From one address. */
const WRONG_KEYS = { seconds: 60, requests: 300 };

export interface OpsOptions {
  /** Those of the products that it looks after. */
  readonly desks: readonly Desk[];
  readonly tenants: readonly TenantKeeper[];
  /** Whether it answers 404 to the paths that no other product has. */
  readonly refusesRest: boolean;
  readonly version: string;
  /** What it checks; complete once all products are there. */
  readonly installation: () => Installation;
}

export function ops(options: OpsOptions): Product<Access> {
  const desks = [...options.desks, queueDesk];
  return {
    name: 'ops',
    webPages: ['ops'],
    migrations: join(__dirname, 'store/migrations'),
    desks,
    open(kernel) {
      measureWork(kernel, desks);
      return Promise.resolve({ kernel, wrongKeys: openRateLimit(kernel, 'operator', WRONG_KEYS) });
    },
    serving: ({ kernel }) => startReporting(kernel, options.version, desks),
    mount(access) {
      const { opsMounts } = require('./http/mounts') as typeof Mounts;
      return opsMounts(access, { ...options, desks });
    },
  };
}
