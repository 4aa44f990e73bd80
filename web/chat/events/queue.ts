/** The requests of a page for its own event queue. */
import { api, currentToken, RequestError } from '../../shared/http/request';
import { chat, useChat } from '../data/store';
import type { ServerEvent } from '../data/wire';

/** A waiting poll ends with a heartbeat within 55 s, so 90 s without an answer mean a dead connection. */
const POLL_DEADLINE_MS = 90_000;

export const pollQueue = (lastEventId: number, isAtOnce: boolean, signal: AbortSignal) =>
  api.get<{ events: ServerEvent[] }>(
    '/events',
    { queue_id: chat().queueId, last_event_id: lastEventId, ...(isAtOnce ? { dont_block: true } : {}) },
    { signal, timeoutMs: POLL_DEADLINE_MS, patience: 0 },
  );

export function dropQueue(): void {
  const { queueId } = chat();
  if (queueId === '') return;
  useChat.setState({ queueId: '' });
  const headers = { 'X-Partyline-Token': currentToken() };
  const path = `/api/v1/events?queue_id=${encodeURIComponent(queueId)}`;
  void fetch(path, { method: 'DELETE', headers, keepalive: true }).catch(() => undefined);
}

/** Of a poll or a stream: the server does not know the queue, or not the last event. */
export const isLostQueue = (error: unknown): boolean => error instanceof RequestError && error.status === 400;
