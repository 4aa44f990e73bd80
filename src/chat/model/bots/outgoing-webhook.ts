/** What an outgoing webhook bot's program is told of a message, and what its answer means. */
import { isIP } from 'node:net';
import type { Fault } from '../../../kernel/fault';
import { parseWhole } from '../../../kernel/whole-text';
import { badRequest } from '../faults';
import type { RealmId } from '../organisation/realm';
import type { UserId } from '../users/user';

/** As on the wire: 1 Zulip's own format, 2 Slack's. */
export const ENDPOINT_INTERFACES = { zulip: 1, slack: 2 } as const;
export type EndpointInterface = (typeof ENDPOINT_INTERFACES)[keyof typeof ENDPOINT_INTERFACES];

export interface Endpoint {
  readonly name: string;
  readonly interface: EndpointInterface;
  readonly url: string;
  /** Sent with every request, so that the program knows who asks. */
  readonly token: string;
}

/** What made the server tell a bot of a message. */
export type CallCause = 'mention' | 'private_message';

export interface OutgoingCall {
  readonly botId: UserId;
  readonly cause: CallCause;
}

/** A message that a bot is still to be told of. */
export interface WaitingCall extends OutgoingCall {
  readonly realmId: RealmId;
  readonly messageId: number;
}

/** A message as it goes over the wire, of which this much is looked at. */
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
  /** As it was written. */
  readonly content: string;
  readonly message: CalledMessage;
}

export interface CallRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const USER_AGENT = { 'User-Agent': 'PartylineOutgoingWebhook' };

/** Null where the format has no words for the message: Slack's knows no private ones. */
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

/** What the bot says in return; undefined where it says nothing, null where the answer is no JSON object. */
export function readReply(format: EndpointInterface, body: string): string | undefined | null {
  // A program that has nothing to say need not say so in JSON.
  if (body.trim() === '') return undefined;
  const answer = parsed(body);
  if (answer === null) return null;
  if (format === ENDPOINT_INTERFACES.slack) return saidBy(answer['text']);
  if (answer['response_not_required']) return undefined;
  return saidBy(answer['response_string'] ?? answer['content']);
}

function parsed(body: string): Record<string, unknown> | null {
  try {
    const value = parseWhole(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** Numbers and the like are said as they are written. */
function saidBy(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  return text.trim() === '' ? undefined : text;
}

export const notAUrl = (name: string): Fault => badRequest(`${name} is not a URL`);
export const invalidInterface = (): Fault => badRequest('Invalid interface type');

const LONGEST_URL = 2000;
const LONGEST_NAME = 100;

/** An address as the real server takes it; whether it may be reached is seen when it is called. */
export function checkEndpointUrl(written: string, name: string): string {
  const url = written.length <= LONGEST_URL && URL.canParse(written) ? new URL(written) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  // A name without a dot is one of the inside.
  const isHost = url && (url.hostname.includes('.') || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0);
  if (!isHttp || !isHost) throw notAUrl(name);
  return written;
}

export function checkInterface(written: number): EndpointInterface {
  if (written === ENDPOINT_INTERFACES.zulip || written === ENDPOINT_INTERFACES.slack) return written;
  throw invalidInterface();
}

export const endpointName = (written: string): string => Array.from(written).slice(0, LONGEST_NAME).join('');
