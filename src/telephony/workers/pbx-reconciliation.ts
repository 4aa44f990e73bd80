/** Compares every PBX with the database from time to time, each by itself so that none delays another. */
import { consume, type Consumer } from '../../kernel/jobs/consume';
import { done } from '../../kernel/mailbox/ending';
import { each } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { comparisons } from '../actors/mailboxes';
import { compare } from '../actors/pbx-instance/compare';
import { compareEveryPbx } from '../commands/extensions/look-after-orders';
import { reconcileAll } from '../jobs';
import type { ProvisioningSettings } from '../model/extensions/operation';
import type { Telephony } from '../parts';

export const pbxReconciliation = (telephony: Telephony) =>
  mailboxWorker(comparisons, {
    handle: each(async ({ draining }, { body }) => done({ answer: await compare(telephony, body, draining) })),
  });

export const pbxReconciliationStart = (settings: ProvisioningSettings): Consumer<null, void> =>
  consume(reconcileAll, {
    concurrency: 1,
    schedule: () => ({ everyMs: settings.reconcileMs, payload: null }),
    run: (kernel) => compareEveryPbx(kernel),
  });
