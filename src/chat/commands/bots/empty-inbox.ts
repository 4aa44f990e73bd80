/**
 * Turns what waits for a bot into messages, in the order it came, each exactly once. What cannot be is a dead letter.
 */
import { withLease } from '../../../kernel/actor/lease';
import { Fault } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { integrations } from '../../integrations';
import { noticesOf, type Notice } from '../../integrations/integration';
import { shortenContent, shortenTopic } from '../../integrations/shorten';
import type { Draft } from '../../model/messages/draft';
import { accountDeactivated } from '../../model/faults';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import type { User, UserId } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as deliveries from '../../store/bots/deliveries';
import * as people from '../../store/users/people';
import * as realms from '../../store/organisation/realms';
import { wakeInbox } from './wake-inbox';
import { sendMessages } from '../messages/send-messages';
import { tellOfDeadLetters } from './tell-of-dead-letters';

/** Then another bot's turn comes. */
const MOST_IN_A_TURN = 100;
const MOST_ATTEMPTS = 5;

export async function emptyInboxOf(chat: Chat, realmId: RealmId, botId: UserId, signal: AbortSignal): Promise<void> {
  const address = { tenant: realmTenant(realmId), kind: 'inbox', id: String(botId) };
  await withLease(chat.kernel, address, async (lost) => {
    const [[bot], realm, waiting] = await Promise.all([
      people.byIds(chat.kernel.mysql, realmId, [botId]),
      realms.byId(chat.kernel.mysql, realmId),
      deliveries.pendingOf(chat.kernel.mysql, botId, MOST_IN_A_TURN),
    ]);
    if (!bot || signal.aborted || lost.aborted) return;
    // Whoever has no access writes nothing: what still waits for them is a dead letter.
    const isActive = bot.isActive && realm?.isActive === true;
    await turnIntoMessages(chat, { ...bot, isActive }, waiting);
  });
}

/** More has come, or was left: the next turn is asked for once this one is over. */
export async function wakeIfWaiting(kernel: Kernel, realmId: RealmId, botId: UserId): Promise<void> {
  if (await deliveries.isAnyPending(kernel.mysql, botId)) await wakeInbox(kernel, { id: botId, realmId });
}

interface Failed {
  readonly delivery: deliveries.Delivery;
  readonly error: unknown;
  /** Trying again would change nothing. */
  readonly isFinal: boolean;
}

async function turnIntoMessages(chat: Chat, bot: User, waiting: readonly deliveries.Delivery[]): Promise<void> {
  const failed: Failed[] = [];
  const drafts: { delivery: deliveries.Delivery; draft: Draft }[] = [];
  for (const delivery of waiting) {
    try {
      drafts.push(...draftsOf(bot, delivery).map((draft) => ({ delivery, draft })));
    } catch (error) {
      // A formatter is a pure function: it would fail again.
      failed.push({ delivery, error, isFinal: true });
    }
  }
  const sent = await sendMessages(
    chat,
    bot,
    drafts.map(({ draft }) => draft),
  );
  const done = new Map<number, number>();
  const unsent = new Map<number, Failed>();
  for (const [index, outcome] of sent.entries()) {
    const { delivery } = drafts[index]!;
    if ('error' in outcome) unsent.set(delivery.id, { delivery, ...outcome, isFinal: isFinal(outcome.error) });
    else if (!done.has(delivery.id)) done.set(delivery.id, outcome.id);
  }
  failed.push(...unsent.values());
  await chat.kernel.pause('before-finish');
  // A delivery of several messages is done when the last of them is sent.
  const finished = [...done].filter(([id]) => !unsent.has(id));
  await deliveries.finish(
    chat.kernel.mysql,
    finished.map(([id, messageId]) => ({ id, messageId })),
  );
  await settleFailures(chat, bot, failed);
}

const isFinal = (error: unknown): boolean => error instanceof Fault && error.kind !== 'unavailable';

/** Those that may yet succeed stay where they are, and fail the turn: it comes again when the sweeper asks for it. */
async function settleFailures(chat: Chat, bot: User, failed: readonly Failed[]): Promise<void> {
  let unsettled: unknown;
  let isAnyDead = false;
  for (const { delivery, error, isFinal: isOver } of failed) {
    const reason = reasonOf(error);
    if (isOver || delivery.attempts + 1 >= MOST_ATTEMPTS) {
      chat.kernel.log.warn({ delivery: delivery.id, integration: delivery.integration, reason }, 'delivery failed');
      await deliveries.bury(chat.kernel.mysql, delivery.id, reason);
      isAnyDead = true;
    } else {
      await deliveries.countAttempt(chat.kernel.mysql, delivery.id, reason);
      unsettled ??= error;
    }
  }
  if (isAnyDead) {
    await chat.kernel.pause('before-notice');
    await tellOfDeadLetters(chat, bot);
  }
  if (unsettled !== undefined) throw unsettled;
}

const MOST_REASON = 1000;
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).slice(0, MOST_REASON);

function draftsOf(bot: User, delivery: deliveries.Delivery): Draft[] {
  if (!bot.isActive) throw accountDeactivated();
  const integration = integrations.get(delivery.integration);
  if (!integration) throw new Fault('invalid', `There is no integration named ${delivery.integration} any more`);
  const notices = noticesOf(
    integration.format({
      payload: JSON.parse(delivery.payload),
      event: delivery.event,
      branches: delivery.branches ?? undefined,
      isTopicGiven: delivery.topic !== null,
    }),
  );
  if (notices.length === 0)
    throw new Fault('invalid', `${delivery.integration} makes no message of this payload any more`);
  return notices.map((notice, index) => ({
    // The same delivery is the same messages, whatever died in between.
    origin: `delivery:${delivery.id}${index === 0 ? '' : `:${index}`}`,
    client: integration.client,
    ...addressed(bot, delivery, notice),
  }));
}

function addressed(
  bot: User,
  delivery: deliveries.Delivery,
  notice: Notice,
): Pick<Draft, 'type' | 'to' | 'topic' | 'content'> {
  const content = shortenContent(notice.content);
  if (delivery.stream !== null) {
    const topic = shortenTopic(delivery.topic ?? notice.topic);
    return { content, type: 'stream', to: JSON.stringify([delivery.stream]), topic };
  }
  return { content, type: 'private', to: JSON.stringify([bot.botOwnerId ?? bot.id]) };
}
