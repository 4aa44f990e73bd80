/**
 * The poll fast path: answers `GET /api/v1/events` from memory, before Koa. A client polls again as soon as it gets an
 * answer, so most requests are polls. Koa handles every poll that is unusual, not cached or invalid; this file refuses
 * nothing itself. `POLL_FAST_PATH=off` sends every poll through Koa.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asciiJson } from '../../../kernel/text/ascii-json';
import { CLIENT_LEFT, requestIdOf, type AccessLog, type ObservedRequest } from '../../../kernel/http/access-log';
import type { WireFormat } from '../../../kernel/http/wire-format';
import { replyToFault } from '../../../kernel/http/faults';
import { LARGE_BYTES, sendPieces, type UnsentAnswers } from '../../../kernel/http/connection/unsent';
import type { FastPath, FastPathParts } from '../../../kernel/product';
import type { PollTimes } from '../../commands/events/client-poll';
import { pollFromMemory, type PollingClient } from '../../commands/events/poll-queue';
import { INCOMING_WEBHOOK, type User } from '../../model/users/user';
import type { Chat } from '../../parts';
import type { PollLimit } from './poll-limit';
import { openPollReader } from './poll-reader';

const [PREFIX, ROUTE] = ['/api/v1', '/events'];
const PATH = `${PREFIX}${ROUTE}`;
const START = `${PATH}?`;

export interface PollParts {
  readonly chat: Chat;
  readonly wireFormat: WireFormat<User>;
  readonly limit: PollLimit;
  readonly times: PollTimes;
}

export function openPollFastPath(parts: PollParts, { accessLog, unsent }: FastPathParts): FastPath {
  const { chat, wireFormat, limit, times } = parts;
  const headers = Object.entries({ ...wireFormat.headers, ...OWN_HEADERS }).flat();
  const shared: Shared = { chat, wireFormat, headers, accessLog, unsent };
  const read = openPollReader(chat, START);

  return (request, response) => {
    if (request.method !== 'GET' || !request.url!.startsWith(START) || !isPlain(request)) return false;
    const poll = read(request);
    // Over the limit, Koa counts the poll again and says how long to wait.
    if (!poll || poll.by.botType === INCOMING_WEBHOOK || !limit.take(poll.by)) return false;
    const client = new FastPoll(shared, response, poll.by);
    try {
      if (pollFromMemory(client, poll.query, times)) return true;
    } catch (error) {
      client.fail(error);
      return true;
    }
    limit.noteTaken(request);
    return false;
  };
}

/** Whether the headers need nothing that only Koa does: read a body, trust a proxy, or stream. */
const isPlain = ({ headers }: IncomingMessage): boolean =>
  (headers['content-length'] === undefined || headers['content-length'] === '0') &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined &&
  headers['x-forwarded-host'] === undefined &&
  !(headers.accept?.includes('text/event-stream') ?? false);

const OWN_HEADERS = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };

interface Shared {
  readonly chat: Chat;
  readonly wireFormat: WireFormat<User>;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly accessLog: AccessLog;
  readonly unsent: UnsentAnswers;
}

/** One poll and its answer. Ten thousand may wait for a minute each, so an instance is small. */
class FastPoll implements PollingClient, ObservedRequest {
  readonly began = performance.now();
  readonly by: User;
  readonly response: ServerResponse;
  readonly #shared: Shared;
  #requestId: string | undefined;

  constructor(shared: Shared, response: ServerResponse, by: User) {
    this.#shared = shared;
    this.response = response;
    this.by = by;
  }

  get method(): string {
    return 'GET';
  }

  get product(): string {
    return PREFIX;
  }

  get route(): string {
    return ROUTE;
  }

  get shownPath(): string {
    return PATH;
  }

  get isFrequent(): boolean {
    return true;
  }

  get chat(): Chat {
    return this.#shared.chat;
  }

  get request(): IncomingMessage {
    return this.response.req;
  }

  get requestId(): string {
    return (this.#requestId ??= requestIdOf(this.request.headers['x-request-id'] as string | undefined));
  }

  answer(queueId: string, events: readonly string[]): void {
    // The id of an existing queue needs no escaping. A concatenated string is copied only once, when it is sent.
    let body = `{"result":"success","msg":"","queue_id":"${queueId}","events":[`;
    for (let at = 0; at < events.length; at += 1) body += at === 0 ? events[at]! : `,${events[at]!}`;
    this.#send({ status: 200, body: `${body}]}\n`, headers: [] });
  }

  fail(error: unknown): void {
    const { status, body, headers = {} } = replyToFault(this.chat.kernel.log, this.#shared.wireFormat, error, this);
    this.#send({ status, body: asciiJson(JSON.stringify(body)), headers: Object.entries(headers).flat().map(String) });
  }

  onHangUp(waiting: { leave(): void }): void {
    const { response } = this;
    response.on('close', () => {
      if (!response.writableEnded) waiting.leave();
    });
  }

  #send({ status, body, headers }: Answer): void {
    const { response } = this;
    const { chat, wireFormat, headers: usual, accessLog, unsent } = this.#shared;
    if (this.request.socket.destroyed) return accessLog.note(this, CLIENT_LEFT);
    const isLarge = body.length > LARGE_BYTES;
    try {
      if (isLarge) unsent.hold(response, wireFormat.limitKey(this.by), body.length);
    } catch (error) {
      return this.fail(error);
    }
    const own = ['X-Request-Id', this.requestId, 'Content-Length', String(body.length)];
    // A connection that stays open would delay the drain.
    if (chat.kernel.lifecycle.draining.aborted) own.push('Connection', 'close');
    response.writeHead(status, usual.concat(headers, own));
    if (isLarge) sendPieces(response, Buffer.from(body, 'latin1'));
    else response.end(body, 'latin1');
    accessLog.note(this, status);
  }
}

/** The body is ASCII. The headers alternate names and values. */
interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: readonly string[];
}
