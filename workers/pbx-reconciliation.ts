/** Compares every PBX with the database from time to time, each by a job of its own so that none delays another. */
import type { Config } from '../config';
import { consume, type Consumer } from '../src/kernel/jobs/consume';
import { compare } from '../src/telephony/actors/pbx-instance/compare';
import { compareEveryPbx } from '../src/telephony/commands/look-after-orders';
import { reconcile, reconcileAll } from '../src/telephony/jobs';

const CONCURRENCY = 20;

export const pbxReconciliation = (config: Config) =>
  consume(reconcile, {
    concurrency: CONCURRENCY,
    run: (kernel, order, { signal }) => compare(kernel, config, order, signal),
  });

export const pbxReconciliationStart = (config: Config): Consumer<null, void> =>
  consume(reconcileAll, {
    concurrency: 1,
    schedule: () => ({ everyMs: config.reconcileMs, payload: null }),
    run: (kernel) => compareEveryPbx(kernel),
  });
