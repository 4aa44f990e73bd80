/**
 * Event streams: `GET /api/v1/events` with `Accept: text/event-stream` keeps its response open, and every event is one
 * write to it. Streams are served before Koa, which would hold its own objects for each of them. Koa refuses whatever
 * cannot begin; this file refuses nothing itself.
 *
 * The body ends with its connection instead of being sent in chunks, so that a write is one string without a frame of
 * HTTP around it.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerPathOf, type AnswerPath } from '../../../kernel/answer-path';
import type { LocalRateLimit } from '../../../kernel/admission/rate-limit';
import { CLIENT_LEFT, requestIdOf } from '../../../kernel/http/access-log';
import type { UnsentAnswers } from '../../../kernel/http/connection/unsent';
import { hasBody, headerOf, plainIncoming, type Incoming } from '../../../kernel/http/incoming';
import type { WireFormat } from '../../../kernel/http/wire-format';
import type { FastPath, FastPathParts } from '../../../kernel/product';
import type { PollTimes } from '../../commands/events/client-poll';
import { ClientStream, type StreamConnection } from '../../commands/events/client-stream';
import { prepareStream, type Caller } from '../../commands/events/poll-queue';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { STREAM_TYPE, streamRequest, wantsStream } from './events';
import { EVENTS_START, EventsRequest, usualHeaders } from './events-request';

export interface StreamPathParts {
  readonly chat: Caller['chat'] & Pick<Chat, 'lifecycle' | 'log'>;
  readonly wireFormat: WireFormat<User>;
  readonly authenticate: (incoming: Incoming) => Promise<User>;
  readonly limit: LocalRateLimit;
  readonly times: PollTimes;
}

export function openStreamPath(parts: StreamPathParts, { accessLog, originOf, unsent }: FastPathParts): FastPath {
  const { chat, wireFormat, authenticate, limit, times } = parts;
  const own = { 'Content-Type': STREAM_TYPE, 'X-Accel-Buffering': 'no', Connection: 'close' };
  const headers = { ...usualHeaders(wireFormat), ...own };

  /** Whether the stream has begun. */
  async function begin(incoming: Incoming, response: ServerResponse): Promise<boolean> {
    const wanted = streamRequest(incoming);
    if (!wanted) return false;
    const by = await authenticate(incoming);
    if (!limit.take(String(by.id))) return false;
    const ready = await prepareStream({ chat, by }, wanted);
    const { socket } = response;
    // A response that waits behind others on its connection has no socket yet.
    if (!socket || socket.destroyed || chat.lifecycle.draining.aborted) return false;
    response.removeHeader('Transfer-Encoding');
    response.writeHead(200, { ...headers, 'X-Request-Id': incoming.id });
    // The client sees at once that nothing on the way holds the response back.
    response.write(COMMENT);
    const connection = new Connection({ response, socket, unsent }, incoming);
    const stream = new ClientStream({ chat, times, ...ready }, connection);
    response.on('close', () => {
      stream.leave();
      unsent.leave(socket);
      accessLog.note(connection, response.writableFinished ? 200 : CLIENT_LEFT);
    });
    stream.begin();
    return true;
  }

  return (request, response, pass) => {
    if (request.method !== 'GET' || !request.url!.startsWith(EVENTS_START) || hasBody(request) || !wantsStream(request))
      return false;
    const id = requestIdOf(headerOf(request, 'x-request-id'));
    begin(plainIncoming(request, id, originOf(request)), response).then((hasBegun) => hasBegun || pass(), pass);
    return true;
  };
}

const COMMENT = ':\n\n';

/** What may wait for one reader. A slower one connects again, and continues after the last event that it has seen. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** Clients whose streams end together come back at different times. */
const RETRY_MS = { least: 100, most: 2000 };

interface ConnectionParts {
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly unsent: UnsentAnswers;
}

/** The response of one stream. A node holds many of these, so an instance is small. */
class Connection extends EventsRequest implements StreamConnection {
  readonly requestId: string;
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  readonly #unsent: UnsentAnswers;
  readonly #ip: string;

  constructor({ response, socket, unsent }: ConnectionParts, { id, ip }: Incoming) {
    super();
    this.requestId = id;
    this.#response = response;
    this.#socket = socket;
    this.#unsent = unsent;
    this.#ip = ip;
  }

  get path(): AnswerPath {
    return answerPathOf(this.#response, this.#ip);
  }

  write(text: string): boolean {
    const socket = this.#socket;
    socket.write(text, 'latin1');
    const unread = socket.writableLength;
    if (unread === 0) return true;
    this.#unsent.fallBehind(socket, Math.min(unread, text.length));
    return unread <= MAX_UNREAD_BYTES;
  }

  async drained(): Promise<void> {
    const socket = this.#socket;
    if (!socket.writableNeedDrain || socket.destroyed) return;
    const over = new AbortController();
    const { signal } = over;
    await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]).finally(() =>
      over.abort(),
    );
  }

  end(): void {
    const retryMs = RETRY_MS.least + Math.floor(Math.random() * (RETRY_MS.most - RETRY_MS.least));
    this.#response.end(`retry: ${retryMs}\n\n`);
  }
}
