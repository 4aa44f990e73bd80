/** Takes up carriers' calls and texts whose job was lost, or whose time has come again. */
import { sendTexts } from '../jobs';
import type { Telephony } from '../parts';
import * as calls from '../store/carrier-calls';
import { waitingConversations } from '../store/send-tries';

/** As long as a carrier may tell the same again. */
const KEPT_MS = 7 * 24 * 3_600_000;
const MOST_FORGOTTEN = 500;

export async function sweepTexts({ kernel, callReaders }: Telephony): Promise<void> {
  const { mysql, settings, jobs } = kernel;
  for (const account of await calls.waitingAccounts(mysql, settings.sweepAfterMs)) callReaders.wake(account);
  for (const order of await waitingConversations(mysql, settings.sweepAfterMs)) {
    await jobs.nudge(sendTexts, `conversation-${order.conversationId}`, order);
  }
  await calls.forgetDone(mysql, KEPT_MS, MOST_FORGOTTEN);
}
