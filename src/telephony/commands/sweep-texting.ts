/** Takes up texts whose job was lost, or whose time has come again. */
import { sendTexts } from '../jobs';
import type { Telephony } from '../parts';
import { waitingConversations } from '../store/send-tries';

export async function sweepTexts({ kernel: { mysql, settings, jobs } }: Telephony): Promise<void> {
  for (const order of await waitingConversations(mysql, settings.sweepAfterMs)) {
    await jobs.nudge(sendTexts, `conversation-${order.conversationId}`, order);
  }
}
