/** The jobs of telephony that worker processes run, by the names that operators know them by. */
import type { Workers } from '../../kernel/jobs/consume';
import type { Kernel } from '../../kernel/kernel';
import { openAnswers } from '../actors/pbx-instance/answers';
import type { TelephonySettings } from '../settings';
import { faxOutbound } from './fax-outbound';
import { pbxBulk } from './pbx-bulk';
import { pbxProvisioning } from './pbx-provisioning';
import { pbxReconciliation, pbxReconciliationStart } from './pbx-reconciliation';
import { pbxSweep } from './pbx-sweep';
import { presenceSweep } from './presence-sweep';
import { textingForget } from './texting-forget';
import { textingInbound } from './texting-inbound';
import { textingOutbound } from './texting-outbound';
import { textingSweep } from './texting-sweep';

export const telephonyWorkers = (kernel: Kernel, settings: TelephonySettings): Workers => ({
  'fax-outbound': faxOutbound(settings),
  'pbx-bulk': pbxBulk({ kernel, settings, answers: openAnswers(kernel) }),
  'pbx-provisioning': pbxProvisioning(settings),
  'pbx-reconciliation': pbxReconciliation(settings),
  'pbx-reconciliation-start': pbxReconciliationStart(settings),
  'pbx-sweep': pbxSweep(settings),
  'presence-sweep': presenceSweep(settings),
  'texting-forget': textingForget,
  'texting-inbound': textingInbound,
  'texting-outbound': textingOutbound(settings),
  'texting-sweep': textingSweep,
});
