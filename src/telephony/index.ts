/** The telephony self-service product. */
import { join } from 'node:path';
import type { Product } from '../kernel/product';
import { admins as mailboxAdmins } from './actors/mailboxes';
import { companyKeeper } from './commands/companies/keep-tenants';
import { pbxKeeper } from './commands/sites/keep-pbxs';
import { carrierKeeper } from './commands/texting/keep-carriers';
import type * as SeedDemo from './commands/seed-demo';
import type * as Mounts from './http/mounts';
import type * as SocketEntry from './socket/socket-entry';
import { openTelephony, type Telephony } from './parts';
import { orderAdmin } from './queries/extensions/order-admin';
import { listFarEnds } from './queries/sites/far-ends';
import type { TelephonySettings } from './settings';
import { tenants } from './store/companies/companies';
import { someCredentials } from './store/sites/sites';
import { newestSealed } from './store/texting/carrier-accounts';
import type * as Workers from './workers';

export function telephony(settings: TelephonySettings): Product<Telephony> {
  return {
    name: 'telephony',
    description: 'Telephony self-service.',
    webPages: ['portal'],
    migrations: join(__dirname, 'store/migrations'),
    tenants: companyKeeper(settings),
    admins: [orderAdmin, ...mailboxAdmins],
    farEnds: listFarEnds,
    farEndKeepers: [pbxKeeper(settings), carrierKeeper(settings)],
    open: (kernel) => Promise.resolve(openTelephony(kernel, settings)),
    session(kernel) {
      const { textingSocket } = require('./socket/socket-entry') as typeof SocketEntry;
      return textingSocket(kernel, settings);
    },
    sealedSample: async (db) => (await newestSealed(db)) ?? someCredentials(db),
    numberedTenants: tenants,
    seedDemo(kernel) {
      const { seedDemo } = require('./commands/seed-demo') as typeof SeedDemo;
      return seedDemo(kernel, `http://127.0.0.1:${settings.pbxSimPort}`);
    },
    workers(parts) {
      const { telephonyWorkers } = require('./workers') as typeof Workers;
      return telephonyWorkers(parts);
    },
    load: () => void [require('./http/mounts'), require('./socket/socket-entry')],
    mount(parts) {
      const { telephonyMounts } = require('./http/mounts') as typeof Mounts;
      return telephonyMounts(parts, settings);
    },
  };
}
