/** All routes of telephony. */
import type { Mount } from '../../kernel/product';
import type { Telephony } from '../parts';
import type { PortalSettings, TelephonySettings } from '../settings';
import { forwardRoutes } from './arrangements/forwards';
import { outsideNumberRoutes } from './arrangements/outside-numbers';
import { ringGroupRoutes } from './arrangements/ring-groups';
import { phoneCallRoutes } from './calls/phone-calls';
import { callRoutes } from './calls/calls';
import { soundRoutes } from './calls/sounds';
import { companyRoutes, eventRoutes } from './companies/company';
import { contactRoutes, invitationRoutes } from './contacts/contacts';
import { statusRoutes } from './contacts/statuses';
import { bulkRoutes } from './extensions/bulk-orders';
import { extensionOrders } from './extensions/extension-orders';
import { extensionReads } from './extensions/extensions';
import { faxRoutes } from './files/faxes';
import { fileRoutes } from './files/files';
import { noteRoutes } from './portal/conversation-notes';
import { extensionRoutes } from './portal/extensions';
import { keyRoutes } from './portal/keys';
import { sessionRoutes } from './portal/sessions';
import { templateRoutes } from './portal/templates';
import { textDraftRoutes } from './portal/text-drafts';
import { textSearchRoutes } from './portal/text-search';
import { webhookRoutes } from './portal/webhooks';
import { wireFormatWithSessions, portalWireFormat } from './portal/wire-format';
import { pushRoutes } from './push/push-devices';
import { siteRoutes } from './sites';
import { webhookMount } from './texting/carrier-webhooks';
import { textingContactRoutes } from './texting/texting-contacts';
import { conversationRoutes } from './texting/texting-conversations';
import { messageRoutes } from './texting/texting-messages';
import { textNumberRoutes } from './texting/texting-numbers';

export const textingRoutes = [...conversationRoutes, ...messageRoutes, ...textingContactRoutes, ...textNumberRoutes];

export function telephonyMounts(parts: Telephony, settings: TelephonySettings): Mount[] {
  const routes = [
    ...companyRoutes,
    ...contactRoutes,
    ...siteRoutes,
    ...extensionReads(parts),
    ...extensionOrders(parts),
    ...bulkRoutes,
    ...ringGroupRoutes(parts),
    ...outsideNumberRoutes(parts),
    ...forwardRoutes(parts),
    ...phoneCallRoutes(parts),
    ...callRoutes,
    ...soundRoutes(parts),
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

/** The portal-only routes. For everything else the portal uses the routes of all clients. */
const portalMount = (telephony: Telephony, settings: PortalSettings): Mount => ({
  prefix: '/portal/api',
  wireFormat: portalWireFormat(telephony),
  routes: [
    ...sessionRoutes(telephony, settings),
    ...keyRoutes(telephony),
    ...extensionRoutes(telephony),
    ...templateRoutes,
    ...textDraftRoutes,
    ...textSearchRoutes,
    ...noteRoutes,
    ...webhookRoutes(telephony),
    ...pushRoutes(telephony),
  ],
});
