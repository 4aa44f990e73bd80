/** Telephony self-service, as one product. */
import { join } from 'node:path';
import type { Product } from '../kernel/product';
import { seedDemo } from './commands/seed-demo';
import { bulkRoutes } from './http/bulk-orders';
import { webhookMount } from './http/carrier-webhooks';
import { companyRoutes } from './http/company';
import { contactRoutes, invitationRoutes } from './http/contacts';
import { telephonyDialect } from './http/dialect';
import { eventRoutes } from './http/events';
import { extensionOrders } from './http/extension-orders';
import { extensionReads } from './http/extensions';
import { faxRoutes } from './http/faxes';
import { fileRoutes } from './http/files';
import { siteRoutes } from './http/sites';
import { statusRoutes } from './http/statuses';
import { textingRoutes } from './http/texting';
import { openTelephony, type Telephony } from './parts';
import { findSealed } from './queries/find-sealed';
import { orderDesk } from './queries/order-desk';
import type { TelephonySettings } from './settings';
import { textingSocket } from './socket/socket-door';
import { telephonyWorkers } from './workers/workers';

export function telephony(settings: TelephonySettings): Product<Telephony> {
  return {
    name: 'telephony',
    description: 'Telephony self-service.',
    migrations: join(__dirname, 'store/migrations'),
    desks: [orderDesk],
    open: (kernel) => Promise.resolve(openTelephony(kernel, settings)),
    session: ({ kernel }) => textingSocket(kernel, settings),
    sealedSample: findSealed,
    seedDemo: (kernel) => seedDemo(kernel, `http://127.0.0.1:${settings.pbxSimPort}`),
    workers: telephonyWorkers,
    mount(parts) {
      const routes = [
        ...companyRoutes,
        ...contactRoutes,
        ...siteRoutes,
        ...extensionReads(parts),
        ...extensionOrders(parts),
        ...bulkRoutes,
        ...textingRoutes,
        ...fileRoutes(settings),
        ...faxRoutes,
        ...invitationRoutes,
        ...statusRoutes,
        ...eventRoutes,
      ];
      return [{ prefix: '', dialect: telephonyDialect, routes }, webhookMount(parts)];
    },
  };
}
