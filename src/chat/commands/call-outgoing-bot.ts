/**
 * Tells the program of an outgoing webhook bot of the messages that wait for it, in their order, and posts what it says.
 * A program may be told twice of a message, should a worker die; its answer is posted once.
 */
import { withLease } from '../../kernel/actor/lease';
import { endingWith } from '../../kernel/ending';
import { Fault } from '../../kernel/fault';
import { shortenContent } from '../integrations/shorten';
import type { Message } from '../model/message';
import type { Endpoint } from '../model/outgoing-webhook';
import { realmTenant, type RealmId } from '../model/realm';
import type { User, UserId } from '../model/user';
import type { Chat } from '../parts';
import { presentCall, type PresentedCall } from '../queries/present-call';
import * as endpoints from '../store/bot-endpoints';
import * as messages from '../store/messages';
import * as calls from '../store/outgoing-calls';
import * as people from '../store/people';
import { askEndpoint } from './ask-endpoint';
import { sendMessage } from './send-message';
import { tellOwnerOfCall } from './tell-owner';

/** Then another bot's turn comes. */
const MOST_IN_A_TURN = 10;
const LONGEST_TURN_MS = 5000;
/** As often as the real server tries. */
const MOST_ATTEMPTS = 4;
/** Before the second attempt; five times as long before each further one. */
const FIRST_PAUSE_MS = 1000;
const PAUSE_FACTOR = 5;

export interface OutgoingTurn {
  readonly realmId: RealmId;
  readonly botId: UserId;
  readonly signal: AbortSignal;
}

export async function callOutgoingBot(chat: Chat, { realmId, botId, signal }: OutgoingTurn): Promise<void> {
  const { mysql, secrets } = chat.kernel;
  const address = { tenant: realmTenant(realmId), kind: 'outgoing', id: String(botId) };
  await withLease(chat.kernel, address, (lost) =>
    endingWith([signal, lost], async ({ signal: stop }) => {
      const [[bot], endpoint, waiting] = await Promise.all([
        people.byIds(mysql, realmId, [botId]),
        endpoints.find(mysql, secrets, botId),
        calls.due(mysql, botId, MOST_IN_A_TURN),
      ]);
      const until = performance.now() + LONGEST_TURN_MS;
      for (const call of waiting) {
        if (stop.aborted || performance.now() > until) return;
        if (!bot?.isActive || !endpoint) await calls.drop(mysql, call.id, 'The bot was deactivated');
        // Other bots need not wait for a program that is away.
        else if ((await makeCall({ chat, bot, endpoint, stop }, call)) === 'away') return;
      }
    }),
  );
}

interface Turn {
  readonly chat: Chat;
  readonly bot: User;
  readonly endpoint: Endpoint;
  readonly stop: AbortSignal;
}

async function makeCall(turn: Turn, call: calls.Call): Promise<'away' | void> {
  const { chat, bot, endpoint, stop } = turn;
  const { mysql } = chat.kernel;
  const [message] = await messages.byIds(mysql, call.realmId, [call.messageId]);
  if (!message) return calls.drop(mysql, call.id, 'The message was deleted');
  const presented = await presentCall(mysql, bot, message);
  const facts = { endpoint, bot, cause: call.cause, content: message.content, message: presented.message };
  const outcome = await askEndpoint(chat, facts, stop);
  if ('failure' in outcome) return fail(turn, call, { ...outcome, message, presented });
  if (outcome.said === undefined) return calls.finish(mysql, call.id, null);
  await answer(turn, call, { said: outcome.said, message, presented });
}

interface Reply {
  readonly message: Message;
  readonly presented: PresentedCall;
}

async function answer(turn: Turn, call: calls.Call, reply: Reply & { readonly said: string }): Promise<void> {
  const { mysql } = turn.chat.kernel;
  try {
    const { id } = await say(turn, reply, reply.said, `outgoing:${call.id}`);
    await turn.chat.kernel.pause('before-finish');
    await calls.finish(mysql, call.id, id);
  } catch (error) {
    if (!(error instanceof Fault) || error.kind === 'unavailable') throw error;
    // Where the bot may not speak, nobody but its owner can hear of it.
    await bury(turn, call, reply, `It could not answer: ${error.message}`);
  }
}

interface Failed extends Reply {
  readonly failure: string;
  readonly isFinal: boolean;
}

async function fail(turn: Turn, call: calls.Call, failed: Failed): Promise<'away' | void> {
  const { kernel } = turn.chat;
  if (!failed.isFinal && call.attempts + 1 < MOST_ATTEMPTS) {
    const pauseMs = FIRST_PAUSE_MS * PAUSE_FACTOR ** call.attempts * (0.75 + Math.random() / 2);
    await calls.delay(kernel.mysql, call.id, failed.failure, pauseMs);
    return 'away';
  }
  try {
    await say(turn, failed, `Failure! ${failed.failure}.`, `outgoing:${call.id}:failure`);
  } catch (error) {
    if (!(error instanceof Fault) || error.kind === 'unavailable') throw error;
  }
  await bury(turn, call, failed, failed.failure);
}

async function bury({ chat, bot }: Turn, call: calls.Call, { presented }: Reply, reason: string): Promise<void> {
  const { kernel } = chat;
  kernel.log.warn({ call: call.id, bot: bot.id, reason }, 'an outgoing webhook failed');
  await calls.bury(kernel.mysql, call.id, reason);
  tellOwnerOfCall(chat, bot, `${await chat.realms.publicUrl(bot.realmId)}${presented.link}`, reason);
}

/** The same call is the same message, whatever died in between. */
function say({ chat, bot }: Turn, { message, presented }: Reply, content: string, origin: string) {
  return sendMessage(chat, bot, {
    ...presented.to,
    topic: message.topic,
    content: shortenContent(content),
    client: 'OutgoingWebhookResponse',
    origin,
  });
}
