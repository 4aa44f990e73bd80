/** Everything that telephony serves. */
import type { Mount } from '../../kernel/product';
import type { Telephony } from '../parts';
import type { TelephonySettings } from '../settings';
import { bulkRoutes } from './bulk-orders';
import { webhookMount } from './carrier-webhooks';
import { companyRoutes } from './company';
import { contactRoutes, invitationRoutes } from './contacts';
import { eventRoutes } from './events';
import { extensionOrders } from './extension-orders';
import { extensionReads } from './extensions';
import { faxRoutes } from './faxes';
import { fileRoutes } from './files';
import { dialectWithSessions } from './portal/dialect';
import { portalMount } from './portal/mount';
import { siteRoutes } from './sites';
import { statusRoutes } from './statuses';
import { textingRoutes } from './texting';

export function telephonyMounts(parts: Telephony, settings: TelephonySettings): Mount[] {
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
  return [
    { prefix: '', dialect: dialectWithSessions(parts), routes },
    webhookMount(parts),
    portalMount(parts, settings),
  ];
}
