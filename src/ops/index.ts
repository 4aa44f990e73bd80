/** What belongs to those who run the server, as one product beside the two that users see. */
import { join } from 'node:path';
import type { Desk } from '../kernel/jobs/desk';
import { queueDesk } from '../kernel/jobs/queue-desk';
import { openRateLimit } from '../kernel/http/rate-limit';
import type { Product } from '../kernel/product';
import type * as Mounts from './http/mounts';
import type { Access } from './http/access';
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
    webPages: ['ops'],
    migrations: join(__dirname, 'store/migrations'),
    desks,
    open(kernel) {
      measureWork(kernel, desks);
      return Promise.resolve({ kernel, wrongKeys: openRateLimit(kernel, 'operator', WRONG_KEYS) });
    },
    mount(access) {
      const { opsMounts } = require('./http/mounts') as typeof Mounts;
      return opsMounts(access, desks, refusesRest);
    },
  };
}
