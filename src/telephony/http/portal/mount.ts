/** The portal-only routes. For everything else the portal uses the routes of all clients. */
import type { Mount } from '../../../kernel/product';
import type { PortalSettings } from '../../model/portal/portal-settings';
import type { Telephony } from '../../parts';
import { portalWireFormat } from './wire-format';
import { extensionRoutes } from './extensions';
import { keyRoutes } from './keys';
import { sessionRoutes } from './sessions';
import { templateRoutes } from './templates';
import { webhookRoutes } from './webhooks';

export const portalMount = (telephony: Telephony, settings: PortalSettings): Mount => ({
  prefix: '/portal/api',
  wireFormat: portalWireFormat(telephony),
  routes: [
    ...sessionRoutes(telephony, settings),
    ...keyRoutes(telephony),
    ...extensionRoutes,
    ...templateRoutes,
    ...webhookRoutes(telephony),
  ],
});
