/** Asks for the pages of messages to be shown: at once, and for messages that nobody looks at. */
import type { Kernel } from '../../kernel/kernel';
import { showPreviews } from '../jobs';
import type { Chat } from '../parts';
import * as pending from '../store/pending-previews';

const wake = (kernel: Kernel, preview: pending.PendingPreview): Promise<void> =>
  kernel.jobs.nudge(showPreviews, `message-${preview.messageId}-${preview.realmId}`, preview);

/** Nobody waits for it: should Redis be away, the sweeper finds what was written with the message. */
export function wakePreviews({ kernel }: Chat, preview: pending.PendingPreview): void {
  wake(kernel, preview).catch((error: Error) => kernel.log.debug({ error }, 'could not ask for previews'));
}

/** The message was edited while its pages were being fetched. */
export async function wakeIfPending(kernel: Kernel, preview: pending.PendingPreview): Promise<void> {
  if (await pending.isPending(kernel.mysql, preview)) await wake(kernel, preview);
}

/** Pages that could not be shown until then are not shown. */
const KEPT_MS = 3_600_000;

export async function sweepPreviews({ kernel }: Chat): Promise<void> {
  await pending.forgetOld(kernel.mysql, KEPT_MS);
  for (const preview of await pending.olderThan(kernel.mysql, kernel.settings.sweepAfterMs))
    await wake(kernel, preview);
}
