/** Periodically requests a comparison of every PBX with the database. */
import { consume, type Consumer } from '../../kernel/jobs/consume';
import { compareEveryPbx } from '../commands/extensions/look-after-orders';
import { reconcileAll } from '../jobs';
import type { ProvisioningSettings } from '../model/extensions/operation';

export const pbxReconciliationStart = (settings: ProvisioningSettings): Consumer<null, void> =>
  consume(reconcileAll, {
    concurrency: 1,
    schedule: () => ({ everyMs: settings.reconcileMs, payload: null }),
    run: (kernel) => compareEveryPbx(kernel),
  });
