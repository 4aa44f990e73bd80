/**
 * The poll fast path: answers `GET /api/v1/events` from memory, before Koa. A client polls again as soon as it gets an
 * answer, so most requests are polls. Koa handles every poll that is unusual, not cached or invalid; this file refuses
 * nothing itself. `POLL_FAST_PATH=off` sends every poll through Koa.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CLIENT_LEFT, requestIdOf, type AccessLog } from '../../../kernel/http/access-log';
import { replyToFault } from '../../../kernel/http/faults';
import { JSON_TYPE } from '../../../kernel/http/render';
import { LARGE_BYTES, sendPieces, type UnsentAnswers } from '../../../kernel/http/connection/unsent';
import type { WireFormat } from '../../../kernel/http/wire-format';
import type { Storage, Kernel } from '../../../kernel/kernel';
import type { FastPath, FastPathParts } from '../../../kernel/product';
import type { LocalRateLimit } from '../../../kernel/admission/rate-limit';
import type { PollTimes } from '../../commands/events/client-poll';
import { findInMemory, type Poll, type PollingClient } from '../../commands/events/poll-queue';
import { INCOMING_WEBHOOK, type User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { cachedCaller, readCallerHeaders, type CallerHeaders } from '../../queries/accounts/find-caller';
import { EVENTS_TYPE, eventsBody, wantsStream } from './events';
import { EVENTS_START, EventsRequest, usualHeaders } from './events-request';

export interface PollParts {
  readonly chat: Storage & Pick<Chat, 'callers' | 'lifecycle' | 'log' | 'polls' | 'queues' | 'realms' | 'touches'>;
  readonly wireFormat: WireFormat<User>;
  readonly limit: LocalRateLimit;
  readonly times: PollTimes;
}

export function openPollFastPath(parts: PollParts, { accessLog, unsent }: FastPathParts): FastPath {
  const { chat, wireFormat, limit, times } = parts;
  const headers = Object.entries(usualHeaders(wireFormat)).flat();
  const read = openPollReader();
  const shared: Shared = { chat, wireFormat, headers, accessLog, unsent };

  return (request, response) => {
    if (request.method !== 'GET' || !request.url!.startsWith(EVENTS_START) || !isPlain(request)) return false;
    const polled = read(request);
    const by = polled && cachedCaller(chat, polled.shown);
    if (!by || by.botType === INCOMING_WEBHOOK) return false;
    const answer = findInMemory(chat, by, polled, times);
    // Over the limit, Koa says how long to wait.
    if (!answer || !limit.take(String(by.id))) return false;
    const client = new FastPoll(shared, response, by);
    try {
      answer(client);
    } catch (error) {
      client.fail(error);
    }
    return true;
  };
}

/** Longer requests are parsed for every poll, to bound the memory of a connection. */
const MAX_REMEMBERED = 1024;

interface ReadRequest extends Poll {
  readonly shown: CallerHeaders;
}

/** The last poll of a connection. */
interface Remembered {
  readonly authorization: string;
  readonly host: string;
  readonly shown: CallerHeaders;
  /** The URL up to the id of the last event. */
  readonly start: string;
  readonly queueId: string;
}

const LAST = 'last_event_id=';
const ID = /^-?\d{1,15}$/;

/** A client repeats all but the id of the last event in each poll, so the rest is parsed once per connection. */
function openPollReader(): (request: IncomingMessage) => ReadRequest | undefined {
  const remembered = new WeakMap<Socket, Remembered>();
  return ({ headers: { authorization, host }, socket, url = '' }) => {
    if (authorization === undefined || host === undefined) return undefined;
    const last = remembered.get(socket);
    if (last?.authorization === authorization && last.host === host && url.startsWith(last.start)) {
      const id = url.slice(last.start.length);
      if (ID.test(id)) return { shown: last.shown, queueId: last.queueId, lastEventId: Number(id), dontBlock: false };
    }
    const poll = readPoll(url.slice(EVENTS_START.length));
    if (!poll) return undefined;
    const shown = readCallerHeaders({ authorization, host });
    const start = url.slice(0, url.indexOf(LAST) + LAST.length);
    if (authorization.length + host.length + start.length <= MAX_REMEMBERED)
      remembered.set(socket, { authorization, host, shown, start, queueId: poll.queueId });
    return { shown, ...poll };
  };
}

/** Whether the headers need nothing that only Koa does: read a body, trust a proxy, or stream. */
const isPlain = (request: IncomingMessage): boolean => hasPlainHeaders(request) && !wantsStream(request);

const hasPlainHeaders = ({ headers }: IncomingMessage): boolean =>
  (headers['content-length'] === undefined || headers['content-length'] === '0') &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined &&
  headers['x-forwarded-host'] === undefined;

/** The parameters as nearly every client orders them. */
const QUERY =
  /^queue_id=(\d{1,20})(?::|%3[Aa])([0-9a-f]{1,64})&last_event_id=(-?\d{1,15})(?:&dont_block=(true|false))?$/;

/** Undefined for a query that asks for more, is invalid or has another order: Koa handles those. */
export function readPoll(query: string): Poll | undefined {
  const [, time, random, id, flag] = QUERY.exec(query) ?? [];
  if (id === undefined) return undefined;
  return { queueId: `${time}:${random}`, lastEventId: Number(id), dontBlock: flag === 'true' };
}

const EVENTS_HEADERS = ['Content-Type', EVENTS_TYPE];

interface Shared {
  readonly chat: Pick<Kernel, 'lifecycle' | 'log'>;
  readonly wireFormat: WireFormat<User>;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly accessLog: AccessLog;
  readonly unsent: UnsentAnswers;
}

/** One poll and its answer. Ten thousand may wait for a minute each, so an instance is small. */
class FastPoll extends EventsRequest implements PollingClient {
  readonly #by: User;
  readonly #response: ServerResponse;
  readonly #shared: Shared;
  #requestId: string | undefined;

  constructor(shared: Shared, response: ServerResponse, by: User) {
    super();
    this.#shared = shared;
    this.#response = response;
    this.#by = by;
  }

  get requestId(): string {
    return (this.#requestId ??= requestIdOf(this.#response.req.headers['x-request-id'] as string | undefined));
  }

  answer(queueId: string, events: readonly string[]): void {
    const body = eventsBody(queueId, events);
    // ASCII.
    this.#send({ status: 200, body, length: body.length, headers: EVENTS_HEADERS });
  }

  fail(error: unknown): void {
    const { chat, wireFormat } = this.#shared;
    const reply = replyToFault(chat.log, wireFormat, error, this);
    const [body, own] = [
      JSON.stringify(reply.body),
      Object.entries(reply.headers ?? {})
        .flat()
        .map(String),
    ];
    this.#send({
      status: reply.status,
      body,
      length: Buffer.byteLength(body),
      headers: ['Content-Type', JSON_TYPE, ...own],
    });
  }

  onHangUp(held: { leave(): void }): void {
    const response = this.#response;
    response.on('close', () => {
      if (!response.writableEnded) held.leave();
    });
  }

  #send({ status, body, length, headers }: Answer): void {
    const response = this.#response;
    const { chat, wireFormat, headers: usual, accessLog, unsent } = this.#shared;
    if (response.req.socket.destroyed) return accessLog.note(this, CLIENT_LEFT);
    try {
      if (length > LARGE_BYTES) unsent.hold(response, wireFormat.limitKey(this.#by), length);
    } catch (error) {
      return this.fail(error);
    }
    const own = ['Content-Length', String(length), 'X-Request-Id', this.requestId];
    // A connection that stays open would delay the drain.
    if (chat.lifecycle.draining.aborted) own.push('Connection', 'close');
    response.writeHead(status, usual.concat(headers, own));
    if (length > LARGE_BYTES) sendPieces(response, Buffer.from(body));
    else response.end(body, length === body.length ? 'latin1' : 'utf8');
    accessLog.note(this, status);
  }
}

interface Answer {
  readonly status: number;
  readonly body: string;
  /** In bytes. */
  readonly length: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
}
