/** Processes the work of PBX instances. Any number of workers may run it; one at a time handles a given PBX. */
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { pbxInstances } from '../actors/mailboxes';
import { lookAfterPbx } from '../actors/pbx-instance/pbx-instance';
import { lookForPbxWork } from '../commands/extensions/look-after-orders';
import type { Telephony } from '../parts';

export const pbxInstancesWorker = (telephony: Telephony) =>
  mailboxWorker(
    { ...pbxInstances, sweepMs: telephony.settings.pbxSweepMs },
    { ...lookAfterPbx(telephony), onSweep: () => lookForPbxWork(telephony.kernel) },
  );
