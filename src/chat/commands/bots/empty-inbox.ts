/**
 * Turns a bot's deliveries into messages, in order and exactly once each. Undeliverable ones become dead letters. The
 * messages are sent before the deliveries end: a repeat finds them by their origins. The bot's owner is notified of dead
 * letters by private message: each exactly once, and many in few messages.
 */
import { Fault } from '../../../kernel/fault';
import { groupBy, idsOf } from '../../../kernel/group';
import { newId } from '../../../kernel/id';
import type { Found } from '../../../kernel/jobs/sweeper';
import { dead, done, type Ending, endingOf } from '../../../kernel/mailbox/ending';
import type { Mail } from '../../../kernel/mailbox/mailbox';
import type { MailWork } from '../../../kernel/mailbox/work';
import { integrations } from '../../integrations';
import type { Notice } from '../../integrations/integration';
import { accountDeactivated } from '../../model/faults';
import type { Draft } from '../../model/messages/draft';
import type { ChatWords } from '../../model/texts/chat-words';
import type { User, UserId } from '../../model/users/user';
import type { Sending } from '../../parts';
import { wordsOfPerson } from '../../queries/organisation/words-of';
import * as deadLetters from '../../store/bots/dead-letters';
import * as deliveries from '../../store/bots/deliveries';
import * as realms from '../../store/organisation/realms';
import * as people from '../../store/users/people';
import { sendMessages } from '../messages/send-message';
import { sendPrivateNotice } from '../messages/send-notice';

export { findUnnotified } from '../../store/bots/dead-letters';

type Delivery = Mail<deliveries.Delivery>;

export const emptyInbox =
  (chat: Sending): MailWork<deliveries.Delivery>['handle'] =>
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
  const written = drafts.map(({ draft }) => draft);
  const sent = await sendMessages(chat, bot, written);
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
  { stream }: deliveries.Delivery,
  { topic, content }: Notice,
): Pick<Draft, 'type' | 'to' | 'topic' | 'content'> {
  if (stream !== null) return { content, type: 'stream', to: JSON.stringify([stream]), topic };
  return { content, type: 'private', to: JSON.stringify([bot.botOwnerId ?? bot.id]) };
}

/** The first is reported at once; those that follow within this time are batched. */
const PAUSE_MS = 60_000;

/** Called under the bot's lease or by the sweep. The message's origin keeps a second call from sending it again. */
async function notifyOfDeadLetters(chat: Sending, bot: User): Promise<void> {
  if (!(await deadLetters.isNotifiedSince(chat.mysql, bot.id, PAUSE_MS))) {
    await deadLetters.gather(chat.mysql, bot.id, newId());
  }
  const unnotified = await deadLetters.unnotified(chat.mysql, bot.id);
  for (const [notice, failed] of groupBy(unnotified, (each) => each.notice)) {
    await notifyOwner(chat, bot, notice, failed);
    await chat.pause('after-notice');
    await deadLetters.markNotified(chat.mysql, idsOf(failed));
  }
}

/** Catches up on notices that a worker did not send. */
export async function notifyOfAllDeadLetters(chat: Sending, bots: readonly Found[]): Promise<void> {
  const ids = bots.map(({ address }) => Number(address) as UserId);
  for (const bot of await people.anywhere(chat.mysql, ids)) await notifyOfDeadLetters(chat, bot);
}

async function notifyOwner(
  chat: Sending,
  bot: User,
  notice: string,
  failed: readonly deadLetters.Unnotified[],
): Promise<void> {
  const { botOwnerId: id, realmId } = bot;
  if (id === null) return;
  const content = deadLetterNotice(await wordsOfPerson(chat.mysql, { id, realmId }), bot, failed);
  try {
    await sendPrivateNotice(chat, realmId, id, { content, origin: `notice:${notice}` });
  } catch (error) {
    // An owner who has left cannot be notified.
    if (!(error instanceof Fault) || error.kind === 'unavailable') throw error;
    chat.log.warn({ bot: bot.id, reason: error.message }, 'could not notify the owner of a bot of dead letters');
  }
}

const MAX_LINES = 10;

/** External text must not act as markup, nor close the code span around it. */
const quoted = (text: string): string => `\`${text.replaceAll('`', "'").replaceAll(/\s+/g, ' ').slice(0, 200)}\``;

function deadLetterNotice(
  { say }: ChatWords,
  bot: { readonly email: string },
  failed: readonly deadLetters.Unnotified[],
): string {
  const lines = failed.slice(0, MAX_LINES).map(({ id, integration, stream, error }) => {
    const facts = { id, integration, error: quoted(error) };
    const line =
      stream === null
        ? say('bot.owner.delivery', facts)
        : say('bot.owner.deliveryTo', { ...facts, stream: quoted(stream) });
    return `* ${line}`;
  });
  if (failed.length > MAX_LINES) lines.push(`* ${say('bot.owner.more', { count: failed.length - MAX_LINES })}`);
  const first = say('bot.owner.unsent', { email: quoted(bot.email), count: failed.length });
  return [first, '', ...lines, '', say('bot.owner.notLost')].join('\n');
}
