/**
 * A chat client that never gives up: polls any node, or follows the stream of any node, registers again if its queue is
 * gone, and records all messages.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { clientOf, type Answer } from '../http/client';
import { openEventStream, type StreamedEvent } from './event-stream';

export interface Listener {
  /** Contents of the received messages, in order. */
  readonly heard: string[];
  /** What must never happen: ids that do not increase, or a repeated message. */
  readonly problems: string[];
  /** The number of registrations, including the first. */
  readonly registrations: () => number;
  stop(): Promise<void>;
}

export interface ListenerOptions {
  /** The nodes to try for each request; the first that answers is used. */
  readonly urls: () => readonly string[];
  readonly headers: Record<string, string>;
  /** A poll is given up after this time, as by any client; a stream when it has been silent for so long. */
  readonly patienceMs?: number;
  /** Follows streams instead of polling. */
  readonly isStream?: boolean;
}

const PAUSE_MS = 50;

/** Resolves once it has a queue. */
export async function listen({
  urls,
  headers,
  patienceMs = 10_000,
  isStream = false,
}: ListenerOptions): Promise<Listener> {
  const heard: string[] = [];
  const problems: string[] = [];
  const seen = new Set<number>();
  const end = new AbortController();
  let turn = 0;
  let registrations = 0;
  let queue = { id: '', last: -1 };
  let newest = 0;

  function nextUrl(): string {
    const all = urls();
    return all[(turn += 1) % all.length]!;
  }

  async function ask(path: string, ask: { query?: Record<string, string>; form?: Record<string, string> }) {
    const signal = AbortSignal.any([end.signal, AbortSignal.timeout(patienceMs)]);
    return clientOf(nextUrl()).call(path, { ...ask, headers, signal });
  }

  /** Until some node answers. */
  async function insist(path: string, given: Parameters<typeof ask>[1]): Promise<Answer> {
    for (;;) {
      end.signal.throwIfAborted();
      const answer = await ask(path, given).catch(() => undefined);
      if (answer && answer.status < 500) return answer;
      await wait(PAUSE_MS);
    }
  }

  function take(message: { id: number; content: string }): void {
    if (seen.has(message.id)) return;
    seen.add(message.id);
    newest = Math.max(newest, message.id);
    heard.push(message.content);
  }

  /** Messages sent while there was no queue are in the history. */
  async function begin(): Promise<void> {
    const { body } = await insist('/api/v1/register', { form: { event_types: '["message"]' } });
    queue = { id: body.queue_id, last: body.last_event_id };
    registrations += 1;
    if (registrations === 1) newest = body.max_message_id;
    const query = { anchor: String(newest), num_before: '0', num_after: '1000', apply_markdown: 'false' };
    const { body: history } = await insist('/api/v1/messages', { query });
    for (const message of history.messages) if (message.id > newest) take(message);
  }

  function hear(event: StreamedEvent): void {
    if (event.id <= queue.last) problems.push(`event ${event.id} after ${queue.last}`);
    queue.last = event.id;
    if (event.type !== 'message') return;
    const message = event['message'] as { id: number; content: string };
    // A message from the history may also be in the queue, but only in its first events after a registration.
    if (seen.has(message.id) && registrations === 1) problems.push(`message ${message.id} twice`);
    take(message);
  }

  /** Reconnects as an EventSource does, with the id of the last event. */
  async function follow(): Promise<void> {
    const silent = new AbortController();
    const patience = setTimeout(() => silent.abort(), patienceMs);
    try {
      const stream = await openEventStream(
        nextUrl(),
        { queue_id: queue.id },
        { ...headers, 'Last-Event-ID': String(queue.last) },
        {
          signal: AbortSignal.any([end.signal, silent.signal]),
          onEvent(event) {
            patience.refresh();
            hear(event);
          },
        },
      );
      await stream.ended;
      if (stream.text().includes('BAD_EVENT_QUEUE_ID')) return await begin();
      if (stream.status >= 400 && stream.status < 500) problems.push(stream.text());
    } catch {
      // Nobody answered, or it was silent for too long.
    } finally {
      clearTimeout(patience);
    }
    await wait(PAUSE_MS);
  }

  async function poll(): Promise<void> {
    const { body } = await insist('/api/v1/events', {
      query: { queue_id: queue.id, last_event_id: String(queue.last) },
    });
    if (body.code === 'BAD_EVENT_QUEUE_ID') return begin();
    if (body.result !== 'success') problems.push(JSON.stringify(body));
    for (const event of body.events ?? []) hear(event);
    if (body.result !== 'success' || body.events.length === 0) await wait(PAUSE_MS);
  }

  await begin();
  const loop = (async () => {
    while (!end.signal.aborted)
      await (isStream ? follow() : poll()).catch((error: Error) => end.signal.aborted || problems.push(String(error)));
  })();
  return {
    heard,
    problems,
    registrations: () => registrations,
    async stop() {
      end.abort();
      await loop;
    },
  };
}

/** Sends a message until a node has accepted it: the key makes it one message however often it is sent. */
export async function insistOnSaying(
  urls: readonly string[],
  headers: Record<string, string>,
  message: { readonly to: string; readonly content: string },
): Promise<number> {
  const form = { type: 'stream', topic: 'faults', ...message };
  const key = randomUUID();
  for (let turn = 0; ; turn += 1) {
    const answer = await clientOf(urls[turn % urls.length]!)
      .call('/api/v1/messages', {
        form,
        headers: { ...headers, 'Idempotency-Key': key },
        signal: AbortSignal.timeout(3000),
      })
      .catch(() => undefined);
    if (answer?.status === 200) return answer.body.id as number;
    if (answer && answer.status < 500) throw new Error(answer.text);
    await wait(PAUSE_MS);
  }
}
