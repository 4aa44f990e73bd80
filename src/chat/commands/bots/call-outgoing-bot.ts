/**
 * Posts one message to the endpoint of an outgoing webhook bot, and sends its reply as a message. If a worker dies, the
 * endpoint may be called twice, but its reply is sent once.
 */
import { endingWith } from '../../../kernel/ending';
import { Fault } from '../../../kernel/fault';
import { dead, done, dropped, type Ending, retry } from '../../../kernel/mailbox/ending';
import type { Mail } from '../../../kernel/mailbox/mailbox';
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Database } from '../../../kernel/mysql/pool';
import { runRead } from '../../../kernel/mysql/read-packet';
import { OutboundError, type OutboundTrouble } from '../../../kernel/outbound/outbound-error';
import type { OutboundHttp } from '../../../kernel/outbound/outbound-http';
import type { Keyspace } from '../../../kernel/redis/connections';
import { outgoingCalls } from '../../actors/mailboxes';
import { shortenContent } from '../../integrations/text';
import {
  type BotReply,
  type CalledMessage,
  type CallFacts,
  callRequest,
  readReply,
  type WaitingCall,
} from '../../model/bots/outgoing-webhook';
import { nearConversation, nearTopic } from '../../model/markdown/links/stream-links';
import type { Message } from '../../model/messages/message';
import { readWidget } from '../../model/messages/widget';
import type { User, UserId } from '../../model/users/user';
import type { Chat, Sending } from '../../parts';
import { presentRead } from '../../queries/reading/present-messages';
import * as endpoints from '../../store/bots/bot-endpoints';
import * as messages from '../../store/messages/messages';
import * as people from '../../store/users/people';
import { sendMessage } from '../messages/send-message';
import { notifyOwnerOfCall } from './notify-owner';

type Parts = Sending & Keyspace & Pick<Chat, 'outbound'>;

export async function callOutgoingBot(chat: Parts, turn: MailTurn, call: Mail<WaitingCall>): Promise<Ending> {
  const { mysql, secrets } = chat;
  const { realmId, botId, messageId, cause } = call.body;
  const [[bot], endpoint, [message]] = await Promise.all([
    people.byIds(mysql, realmId, [botId]),
    endpoints.find(mysql, secrets, botId),
    messages.byIds(mysql, realmId, [messageId]),
  ]);
  if (!bot?.isActive || !endpoint) return dropped('The bot was deactivated');
  if (!message) return dropped('The message was deleted');
  const presented = await presentCall(mysql, bot, message);
  const facts = { endpoint, bot, cause, content: message.content, message: presented.message };
  const outcome = await endingWith([turn.signal, turn.draining], ({ signal }) =>
    callEndpoint(chat.outbound, facts, signal),
  );
  const reply: Reply = { chat, bot, call: call.id, message, presented };
  if (!('failure' in outcome)) return outcome.said === undefined ? done() : answer(reply, outcome.said);
  const isLast = outcome.isFinal || call.attempts + 1 >= outgoingCalls.attempts;
  return isLast ? giveUp(reply, outcome.failure) : retry(outcome.failure);
}

interface Reply {
  readonly chat: Sending & Keyspace;
  readonly bot: User;
  readonly call: number;
  readonly message: Message;
  readonly presented: PresentedCall;
}

/** The bot may not post there, so only its owner can be notified. */
const isForbidden = (error: unknown): error is Fault => error instanceof Fault && error.kind !== 'unavailable';

async function answer(reply: Reply, said: BotReply): Promise<Ending> {
  try {
    const { id } = await say(reply, said, `outgoing:${reply.call}`);
    return done({ set: { answer_id: id } });
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return bury(reply, `It could not answer: ${error.message}`);
  }
}

async function giveUp(reply: Reply, failure: string): Promise<Ending> {
  try {
    await say(reply, { content: `Failure! ${failure}.` }, `outgoing:${reply.call}:failure`);
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
  return bury(reply, failure);
}

async function bury({ chat, bot, call, presented }: Reply, reason: string): Promise<Ending> {
  chat.log.warn({ call, bot: bot.id, reason }, 'an outgoing webhook failed');
  notifyOwnerOfCall(chat, bot, `${await chat.realms.publicUrl(bot.realmId)}${presented.link}`, reason);
  return dead(reason);
}

/** The origin makes this idempotent: a repeated call yields the same message. */
function say({ chat, bot, message, presented }: Reply, { content, widget }: BotReply, origin: string) {
  return sendMessage(chat, bot, {
    ...presented.to,
    topic: message.topic,
    content: shortenContent(content),
    widget,
    client: 'OutgoingWebhookResponse',
    origin,
  });
}

/** What the bot should post, if anything; or why the call failed. */
type Outcome =
  | { readonly said: BotReply | undefined }
  | {
      readonly failure: string;
      /** Whether a retry cannot help. */
      readonly isFinal: boolean;
    };

/** A reply beyond these limits cannot be a message. */
const LIMITS = { bodyBytes: 128 * 1024, totalMs: 10_000, idleMs: 10_000, redirects: 3 } as const;

/** These statuses mean that the endpoint is temporarily unavailable, not that it refuses the message. */
const LATER = new Set([429, 502, 503, 504]);

const TROUBLES: Readonly<Record<OutboundTrouble, Exclude<Outcome, { said: unknown }>>> = {
  'bad-url': { failure: 'Its address is none of http or https', isFinal: true },
  forbidden: { failure: 'Its address is not public', isFinal: true },
  'unknown-host': { failure: 'Its host has no address', isFinal: false },
  unreachable: { failure: 'Its program cannot be reached', isFinal: false },
  timeout: { failure: 'Its program did not answer in time', isFinal: false },
  redirects: { failure: 'Its program redirected the request too often', isFinal: true },
  'too-large': { failure: 'Its program answered too much', isFinal: true },
  broken: { failure: 'Its program answered with something that cannot be read', isFinal: true },
  busy: { failure: 'Too many programs of bots are being asked', isFinal: false },
};

async function callEndpoint(outbound: OutboundHttp, facts: CallFacts, signal: AbortSignal): Promise<Outcome> {
  const request = callRequest(facts);
  if (!request) return { failure: "Slack's format knows no private messages", isFinal: true };
  try {
    const { url, interface: format } = facts.endpoint;
    const { status, body } = await outbound.send({ url, method: 'POST', ...request, limits: LIMITS, signal });
    if (status < 200 || status > 299) {
      return { failure: `Its program answered with status ${status}`, isFinal: !LATER.has(status) };
    }
    return outcomeOf(readReply(format, body.toString('utf8')));
  } catch (error) {
    // An aborted call says nothing about the endpoint. Another process calls again.
    if (!(error instanceof OutboundError) || signal.aborted) throw error;
    return TROUBLES[error.trouble];
  }
}

function outcomeOf(said: BotReply | undefined | null): Outcome {
  if (said === null) return { failure: 'Its program did not answer with a JSON object', isFinal: true };
  if (said?.widget === undefined) return { said };
  try {
    return { said: { ...said, widget: readWidget(said.widget) } };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { failure: `Its program answered with a wrong widget_content (${error.message})`, isFinal: true };
  }
}

/** A message as it is posted to the bot, and where the bot's reply goes. */
interface PresentedCall {
  readonly message: CalledMessage;
  readonly to: { readonly type: 'stream' | 'private'; readonly to: string };
  /** Link to the message, relative to the organisation's address. */
  readonly link: string;
}

const AS_WRITTEN = { wantsHtml: false, computesAvatars: false } as const;

async function presentCall(db: Database, bot: User, message: Message): Promise<PresentedCall> {
  const present = await runRead(db, presentRead(bot, [message], AS_WRITTEN));
  // The flags are the bot's own, and useless to its program.
  const { flags: _, ...shown } = present(message);
  const called = { ...shown, rendered_content: message.rendered } as unknown as CalledMessage;
  if (message.topicId !== null) {
    const stream = { id: message.recipientId, name: String(called.display_recipient) };
    const to = { type: 'stream', to: JSON.stringify([message.recipientId]) } as const;
    return { message: called, to, link: nearTopic(stream, message.topic, message.id) };
  }
  const ids = (called.display_recipient as readonly { readonly id: UserId }[]).map(({ id }) => id);
  return { message: called, to: { type: 'private', to: JSON.stringify(ids) }, link: nearConversation(ids, message.id) };
}
