/**
 * Turns a bot's deliveries into messages, in order and exactly once each. Undeliverable ones become dead letters. The
 * messages are sent before the deliveries end: a repeat finds them by their origins.
 */
import { Fault } from '../../../kernel/fault';
import { dead, done, endingOf, type Ending } from '../../../kernel/mailbox/ending';
import type { Mail } from '../../../kernel/mailbox/mailbox';
import type { MailWork } from '../../../kernel/mailbox/work';
import { integrations } from '../../integrations';
import type { Notice } from '../../integrations/integration';
import type { Draft } from '../../model/messages/draft';
import { accountDeactivated } from '../../model/faults';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import * as deliveries from '../../store/bots/deliveries';
import * as people from '../../store/users/people';
import * as realms from '../../store/organisation/realms';
import { sendMessages } from '../messages/send-messages';
import { notifyOfDeadLetters } from './notify-of-dead-letters';

type Delivery = Mail<deliveries.NewDelivery>;

export const emptyInbox =
  (chat: Sending): MailWork<deliveries.NewDelivery>['handle'] =>
  async (_turn, mails) => {
    const { realmId, botId } = mails[0]!.body;
    const { mysql } = chat;
    const [[bot], realm] = await Promise.all([people.byIds(mysql, realmId, [botId]), realms.byId(mysql, realmId)]);
    if (!bot) return mails.map(() => dead('The bot is gone'));
    // A bot without access sends nothing: its waiting deliveries become dead letters.
    return turnIntoMessages(chat, { ...bot, isActive: bot.isActive && realm?.isActive === true }, mails);
  };

async function turnIntoMessages(chat: Sending, bot: User, mails: readonly Delivery[]): Promise<Ending[]> {
  const errors = new Map<number, unknown>();
  const drafts: { id: number; draft: Draft }[] = [];
  for (const mail of mails) {
    try {
      drafts.push(...draftsOf(bot, mail).map((draft) => ({ id: mail.id, draft })));
    } catch (error) {
      // A retry would fail again.
      errors.set(mail.id, error instanceof Fault ? error : new Fault('invalid', String(error), { cause: error }));
    }
  }
  const sent = await sendMessages(
    chat,
    bot,
    drafts.map(({ draft }) => draft),
  );
  // A delivery of several messages links to the first one. It is done when the last one is sent.
  const messages = new Map<number, number>();
  for (const [index, outcome] of sent.entries()) {
    const { id } = drafts[index]!;
    if ('error' in outcome) errors.set(id, outcome.error);
    else if (!messages.has(id)) messages.set(id, outcome.id);
  }
  return endingsOf(chat, bot, mails, { messages, errors });
}

interface Outcomes {
  readonly messages: ReadonlyMap<number, number>;
  readonly errors: ReadonlyMap<number, unknown>;
}

function endingsOf(chat: Sending, bot: User, mails: readonly Delivery[], { messages, errors }: Outcomes): Ending[] {
  const isDone = done({ set: deliveries.linksTo(chat.mysql, messages) });
  let isOwnerNotified = false;
  return mails.map(({ id, body: { integration } }) => {
    if (!errors.has(id)) return isDone;
    const first = messages.get(id);
    const ending = { ...endingOf(errors.get(id)), ...(first === undefined ? {} : { set: { message_id: first } }) };
    chat.log.warn({ delivery: id, integration, reason: ending.reason }, 'could not turn a delivery into a message');
    if (isOwnerNotified) return ending;
    isOwnerNotified = true;
    return { ...ending, after: () => notifyAfterwards(chat, bot) };
  });
}

/** Notifies the owner of all dead letters so far. If that fails, the sweep does it. */
async function notifyAfterwards(chat: Sending, bot: User): Promise<void> {
  await chat.pause('before-notice');
  await notifyOfDeadLetters(chat, bot).catch((error: unknown) =>
    chat.log.warn({ error, bot: bot.id }, 'could not notify the owner of a bot of dead letters yet'),
  );
}

function draftsOf(bot: User, { id, body: delivery }: Delivery): Draft[] {
  if (!bot.isActive) throw accountDeactivated();
  const integration = integrations.get(delivery.integration);
  if (!integration) throw new Fault('invalid', `There is no integration named ${delivery.integration} any more`);
  return (JSON.parse(delivery.notices) as readonly Notice[]).map((notice, index) => ({
    // The origin makes this idempotent: a repeated delivery yields the same messages.
    origin: `delivery:${id}${index === 0 ? '' : `:${index}`}`,
    client: integration.client,
    ...addressed(bot, delivery, notice),
  }));
}

function addressed(
  bot: User,
  { stream }: deliveries.NewDelivery,
  { topic, content }: Notice,
): Pick<Draft, 'type' | 'to' | 'topic' | 'content'> {
  if (stream !== null) return { content, type: 'stream', to: JSON.stringify([stream]), topic };
  return { content, type: 'private', to: JSON.stringify([bot.botOwnerId ?? bot.id]) };
}
