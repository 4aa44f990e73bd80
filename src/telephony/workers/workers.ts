/** Telephony's workers, keyed by the names that operators start them by. */
import type { Workers } from '../../kernel/jobs/consume';
import type { Telephony } from '../parts';
import { faxOutbound } from './fax-outbound';
import { pbxBulk } from './pbx-bulk';
import { pbxInstancesWorker } from './pbx';
import { pbxReconciliationStart } from './pbx-reconciliation-start';
import { portalMail } from './portal-mail';
import { portalWebhooks } from './portal-webhooks';
import { presenceSweep } from './presence-sweep';
import { textingForget } from './texting-forget';
import { textingInbound } from './texting-inbound';
import { textingOutbound } from './texting-outbound';

export const telephonyWorkers = (telephony: Telephony): Workers => ({
  'fax-outbound': faxOutbound(telephony),
  'pbx-bulk': pbxBulk(telephony),
  pbx: pbxInstancesWorker(telephony),
  'pbx-reconciliation-start': pbxReconciliationStart(telephony.settings),
  'portal-mail': portalMail(telephony),
  'portal-webhooks': portalWebhooks(telephony),
  'presence-sweep': presenceSweep(telephony.settings),
  'texting-forget': textingForget,
  'texting-inbound': textingInbound,
  'texting-outbound': textingOutbound(telephony),
});
