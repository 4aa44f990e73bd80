/** The requests to outgoing webhook bots, and the meaning of their replies. */
import { isIP } from 'node:net';
import type { Fault } from '../../../kernel/fault';
import { parseStrictJson } from '../../../kernel/text/strict-json';
import { badRequest } from '../faults';
import type { RealmId } from '../organisation/realm';
import type { UserId } from '../users/user';

/** Wire format numbers: 1 is Zulip's own format, 2 is Slack's. */
const ENDPOINT_INTERFACES = { zulip: 1, slack: 2 } as const;
export type EndpointInterface = (typeof ENDPOINT_INTERFACES)[keyof typeof ENDPOINT_INTERFACES];

export interface Endpoint {
  readonly name: string;
  readonly interface: EndpointInterface;
  readonly url: string;
  /** Sent with every request, so that the program can authenticate the server. */
  readonly token: string;
}

/** Why a message calls a bot. */
export type CallCause = 'mention' | 'private_message';

export interface OutgoingCall {
  readonly botId: UserId;
  readonly cause: CallCause;
}

/** A call that is still to be made. */
export interface WaitingCall extends OutgoingCall {
  readonly realmId: RealmId;
  readonly messageId: number;
}

/** The fields of a message on the wire that are used here. */
export interface CalledMessage {
  readonly type: string;
  readonly stream_id?: number | undefined;
  readonly display_recipient: unknown;
  readonly sender_id: number;
  readonly sender_email: string;
  readonly sender_full_name: string;
  readonly sender_realm_str: string;
  readonly timestamp: number;
  readonly [field: string]: unknown;
}

export interface CallFacts {
  readonly endpoint: Endpoint;
  readonly bot: { readonly id: UserId; readonly email: string };
  readonly cause: CallCause;
  /** The Markdown source. */
  readonly content: string;
  readonly message: CalledMessage;
}

export interface CallRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const USER_AGENT = { 'User-Agent': 'PartylineOutgoingWebhook' };

/** Null if the format cannot express the message: Slack's has no private messages. */
export function callRequest(facts: CallFacts): CallRequest | null {
  if (facts.endpoint.interface === ENDPOINT_INTERFACES.slack) return slackRequest(facts);
  const { endpoint, bot, cause, content, message } = facts;
  return {
    headers: { ...USER_AGENT, 'Content-Type': 'application/json' },
    body: JSON.stringify({ data: content, message, bot_email: bot.email, token: endpoint.token, trigger: cause }),
  };
}

function slackRequest({ endpoint, bot, cause, content, message }: CallFacts): CallRequest | null {
  if (message.type !== 'stream') return null;
  const fields = {
    token: endpoint.token,
    team_id: message.sender_realm_str,
    team_domain: message.sender_email.replace(/^.*@/s, ''),
    channel_id: String(message.stream_id),
    channel_name: String(message.display_recipient),
    timestamp: String(message.timestamp),
    user_id: String(message.sender_id),
    user_name: message.sender_full_name,
    text: content,
    trigger_word: cause,
    service_id: String(bot.id),
  };
  return {
    headers: { ...USER_AGENT, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}

export interface BotReply {
  readonly content: string;
  /** JSON text of the widget, which readReply does not check. */
  readonly widget?: string | undefined;
}

/** The bot's reply; undefined if it has none, null if the response is not a JSON object. */
export function readReply(format: EndpointInterface, body: string): BotReply | undefined | null {
  // An empty body means no reply, and need not be JSON.
  if (body.trim() === '') return undefined;
  const answer = parsed(body);
  if (answer === null) return null;
  if (format === ENDPOINT_INTERFACES.slack) return replyOf(answer['text']);
  if (answer['response_not_required']) return undefined;
  const { response_string: text, content, widget_content: widget } = answer;
  // As in Zulip, the older `response_string` has no widget.
  return text === undefined || text === null ? replyOf(content, textOf(widget)) : replyOf(text);
}

function replyOf(said: unknown, widget?: string): BotReply | undefined {
  const content = textOf(said);
  if (content === undefined) return undefined;
  return widget === undefined ? { content } : { content, widget };
}

function parsed(body: string): Record<string, unknown> | null {
  try {
    const value = parseStrictJson(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** Values other than strings are sent as JSON text. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  return text.trim() === '' ? undefined : text;
}

export const notAUrl = (name: string): Fault => badRequest(`${name} is not a URL`);
export const invalidInterface = (): Fault => badRequest('Invalid interface type');

const MAX_URL_LENGTH = 2000;
const MAX_NAME_LENGTH = 100;

/** Accepts the URLs that Zulip accepts. Whether one may be reached is checked on each call. */
export function checkEndpointUrl(written: string, name: string): string {
  const url = written.length <= MAX_URL_LENGTH && URL.canParse(written) ? new URL(written) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  // A host name without a dot is internal.
  const isHost = url && (url.hostname.includes('.') || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0);
  if (!isHttp || !isHost) throw notAUrl(name);
  return written;
}

export function checkInterface(written: number): EndpointInterface {
  if (written === ENDPOINT_INTERFACES.zulip || written === ENDPOINT_INTERFACES.slack) return written;
  throw invalidInterface();
}

export const endpointName = (written: string): string => Array.from(written).slice(0, MAX_NAME_LENGTH).join('');
