/** All routes of telephony. */
import type { Mount } from '../../kernel/product';
import type { Telephony } from '../parts';
import type { TelephonySettings } from '../settings';
import { companyRoutes } from './companies/company';
import { eventRoutes } from './companies/events';
import { contactRoutes, invitationRoutes } from './contacts/contacts';
import { statusRoutes } from './contacts/statuses';
import { bulkRoutes } from './extensions/bulk-orders';
import { extensionOrders } from './extensions/extension-orders';
import { extensionReads } from './extensions/extensions';
import { faxRoutes } from './files/faxes';
import { fileRoutes } from './files/files';
import { wireFormatWithSessions } from './portal/wire-format';
import { portalMount } from './portal/mount';
import { siteRoutes } from './sites';
import { webhookMount } from './texting/carrier-webhooks';
import { textingRoutes } from './texting/texting';

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
    { prefix: '', wireFormat: wireFormatWithSessions(parts), routes },
    webhookMount(parts),
    portalMount(parts, settings),
  ];
}
