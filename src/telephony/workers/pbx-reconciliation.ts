/** Compares every PBX with the database from time to time, each by a job of its own so that none delays another. */
import { consume, type Consumer } from '../../kernel/jobs/consume';
import { compare } from '../actors/pbx-instance/compare';
import { compareEveryPbx } from '../commands/look-after-orders';
import { reconcile, reconcileAll } from '../jobs';
import type { ProvisioningSettings } from '../model/operation';
import type { Telephony } from '../parts';

const CONCURRENCY = 20;

export const pbxReconciliation = (telephony: Telephony) =>
  consume(reconcile, {
    concurrency: CONCURRENCY,
    run: (_kernel, order, { signal }) => compare(telephony, order, signal),
  });

export const pbxReconciliationStart = (settings: ProvisioningSettings): Consumer<null, void> =>
  consume(reconcileAll, {
    concurrency: 1,
    schedule: () => ({ everyMs: settings.reconcileMs, payload: null }),
    run: (kernel) => compareEveryPbx(kernel),
  });
