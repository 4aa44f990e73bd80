/** Telephony self-service, as one product. */
import { join } from 'node:path';
import type { Product } from '../kernel/product';
import { openAnswers } from './actors/pbx-instance/answers';
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
import { findSealed } from './queries/find-sealed';
import { orderDesk } from './queries/order-desk';
import type { TelephonySettings } from './settings';
import { textingSocket } from './socket/socket-door';
import { telephonyWorkers } from './workers/workers';

export function telephony(settings: TelephonySettings): Product {
  return {
    name: 'telephony',
    migrations: join(__dirname, 'store/migrations'),
    desks: [orderDesk],
    session: (kernel) => textingSocket(kernel, settings),
    sealedSample: findSealed,
    seedDemo: (kernel) => seedDemo(kernel, `http://127.0.0.1:${settings.pbxSimPort}`),
    workers: (kernel) => telephonyWorkers(kernel, settings),
    mount(kernel) {
      const desk = { kernel, settings, answers: openAnswers(kernel) };
      const routes = [
        ...companyRoutes,
        ...contactRoutes,
        ...siteRoutes,
        ...extensionReads,
        ...extensionOrders(desk),
        ...bulkRoutes,
        ...textingRoutes,
        ...fileRoutes(settings),
        ...faxRoutes,
        ...invitationRoutes,
        ...statusRoutes,
        ...eventRoutes,
      ];
      return [{ prefix: '', dialect: telephonyDialect, routes }, webhookMount(settings)];
    },
  };
}
