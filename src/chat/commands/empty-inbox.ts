/** Turns what waits for a bot into messages, in the order it came, each exactly once. */
import { withLease } from '../../kernel/actor/lease';
import { Fault } from '../../kernel/fault';
import type { Kernel } from '../../kernel/kernel';
import { integrations } from '../integrations';
import { shortenContent, shortenTopic } from '../integrations/shorten';
import type { Draft } from '../model/draft';
import { realmTenant, type RealmId } from '../model/realm';
import type { User, UserId } from '../model/user';
import * as deliveries from '../store/deliveries';
import * as people from '../store/people';
import { nudgeInbox } from './receive-delivery';
import { sendMessage } from './send-message';

/** Then another bot's turn comes. */
const MOST_IN_A_TURN = 50;
const MOST_ATTEMPTS = 5;

export async function emptyInboxOf(
  kernel: Kernel,
  realmId: RealmId,
  botId: UserId,
  signal: AbortSignal,
): Promise<void> {
  const address = { tenant: realmTenant(realmId), kind: 'inbox', id: String(botId) };
  await withLease(kernel, address, async (lost) => {
    const waiting = await deliveries.pendingOf(kernel.mysql, botId, MOST_IN_A_TURN);
    const [bot] = await people.byIds(kernel.mysql, realmId, [botId]);
    for (const delivery of waiting) {
      if (signal.aborted || lost.aborted || !bot) return;
      await turnIntoMessage(kernel, bot, delivery);
    }
  });
}

/** More has come, or was left: the next turn is asked for once this one is over. */
export async function nudgeIfWaiting(kernel: Kernel, realmId: RealmId, botId: UserId): Promise<void> {
  const waiting = await deliveries.backlogOf(kernel.mysql, botId, 1);
  if (waiting > 0) await nudgeInbox(kernel, { id: botId, realmId });
}

async function turnIntoMessage(kernel: Kernel, bot: User, delivery: deliveries.Delivery): Promise<void> {
  try {
    const draft = draftOf(bot, delivery);
    const { id } = await sendMessage(kernel, bot, draft);
    await deliveries.finish(kernel.mysql, delivery.id, { messageId: id });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isFinal = error instanceof Fault && error.kind !== 'unavailable';
    if (isFinal || delivery.attempts + 1 >= MOST_ATTEMPTS) {
      kernel.log.warn({ delivery: delivery.id, integration: delivery.integration, reason: message }, 'delivery failed');
      await deliveries.finish(kernel.mysql, delivery.id, { error: message });
    } else {
      await deliveries.countAttempt(kernel.mysql, delivery.id, message);
      throw error;
    }
  }
}

function draftOf(bot: User, delivery: deliveries.Delivery): Draft {
  const integration = integrations.get(delivery.integration);
  const notice = integration?.format({ payload: JSON.parse(delivery.payload), event: delivery.event });
  if (!integration || !notice)
    throw new Fault('invalid', `There is no integration named ${delivery.integration} any more`);
  const content = shortenContent(notice.content);
  // The same delivery is the same message, whatever died in between.
  const draft = { content, client: integration.client, origin: `delivery:${delivery.id}` };
  if (delivery.stream !== null) {
    const topic = shortenTopic(delivery.topic ?? notice.topic);
    return { ...draft, type: 'stream', to: JSON.stringify([delivery.stream]), topic };
  }
  return { ...draft, type: 'private', to: JSON.stringify([bot.botOwnerId ?? bot.id]) };
}
