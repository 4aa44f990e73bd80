/** The operators' product: API, console and metrics for the people who run the server. */
import { join } from 'node:path';
import { bullmqAdmin } from '../kernel/jobs/bullmq-admin';
import { openRateLimit } from '../kernel/admission/rate-limit';
import type { Product } from '../kernel/product';
import { startReporting } from './commands/report-node';
import { seedDemo } from './commands/operators';
import type { Access } from './http/access';
import type * as Mounts from './http/mounts';
import { measureWork } from './queries/measure-work';

/** The rate limit of wrong keys per address. */
const WRONG_KEYS = { seconds: 60, requests: 300 };

export interface OpsOptions extends Mounts.Mounted {
  readonly version: string;
}

export function ops(options: OpsOptions): Product<Access> {
  const admins = [...options.admins, bullmqAdmin];
  return {
    name: 'ops',
    webPages: ['ops'],
    migrations: join(__dirname, 'store/migrations'),
    admins,
    seedDemo,
    open(kernel) {
      measureWork(kernel, admins);
      return Promise.resolve({ kernel, wrongKeys: openRateLimit(kernel, 'operator', WRONG_KEYS) });
    },
    serving: ({ kernel }) => startReporting(kernel, options.version, admins),
    load: () => void require('./http/mounts'),
    mount(access) {
      const { opsMounts } = require('./http/mounts') as typeof Mounts;
      return opsMounts(access, { ...options, admins });
    },
  };
}
