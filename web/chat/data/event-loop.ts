/**
 * Keeps the page up to date: registers an event queue, polls it and applies the events. A lost connection is retried
 * with backoff. If the server no longer has the queue, a new one is registered and the views are refreshed.
 */
import { api, currentToken, pause, RequestError } from '../../shared/http/request';
import { firstQueue } from '../early';
import { applyEvents, type Listener } from './apply-events';
import { changeLists, useLists } from './lists';
import { catchUp, loadList } from './load';
import { flushOutbox } from './outbox';
import { chat, setting, stateFrom, useChat } from './store';
import { forgetTopics } from './topics';
import { unreadFrom } from './unread';
import type { Registered, ServerEvent } from './wire';

/** A waiting poll ends with a heartbeat within 55 s, so 90 s without an answer mean a dead connection. */
const POLL_DEADLINE_MS = 90_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** Pause between polls that were answered at once, so that events close together arrive in one answer. */
const BREATH_MS = 60;

export function applyRegistered(answer: Registered): void {
  useChat.setState({
    ...stateFrom(answer),
    unread: unreadFrom(answer.unread_msgs, answer.user_id),
    topics: new Map(),
    connection: 'online',
  });
}

/** After a new queue, loaded data may be stale. The visible list is completed; all others are dropped. */
async function refreshViews(): Promise<void> {
  forgetTopics();
  const { current } = useLists.getState();
  const shown = useLists.getState().byKey.get(current);
  changeLists((list) => (list === shown ? list : undefined));
  if (shown) await catchUp(shown.narrow);
}

/** Reloads the visible view if it failed to load while offline. */
function returnOnline(): void {
  useChat.setState({ connection: 'online' });
  const { byKey, current } = useLists.getState();
  const shown = byKey.get(current);
  if (shown && shown.error !== '') void loadList(shown.narrow);
}

export function startEventLoop(onMessages: Listener): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  // Going online, or returning to the page, ends a long backoff.
  let hurry = new AbortController();
  const wake = (): void => hurry.abort();
  const onVisible = (): void => void (document.visibilityState === 'visible' && wake());
  addEventListener('online', wake);
  addEventListener('pagehide', dropQueue);
  document.addEventListener('visibilitychange', onVisible);

  const run = async (): Promise<void> => {
    // The first queue may already be registered.
    let lastEventId = setting('last_event_id', -1);
    let failures = 0;
    // After the first registration there is nothing to refresh, because no view is loaded yet.
    let isStale = false;
    while (!signal.aborted) {
      try {
        if (chat().queueId === '') {
          const answer = await firstQueue(signal);
          lastEventId = answer.last_event_id;
          applyRegistered(answer);
        }
        if (isStale) await refreshViews();
        isStale = false;
        // After a failure the poll returns at once, so that the page learns that the connection is back.
        const { events } = await poll(lastEventId, failures > 0, signal);
        failures = 0;
        if (chat().connection !== 'online') returnOnline();
        flushOutbox();
        applyEvents(events, onMessages);
        lastEventId = events.reduce((last, { id }) => Math.max(last, id), lastEventId);
        await pause(BREATH_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (isLostQueue(error)) {
          useChat.setState({ queueId: '' });
          isStale = true;
          continue;
        }
        failures += 1;
        hurry = new AbortController();
        await waitBeforeRetry(failures, AbortSignal.any([signal, hurry.signal]));
      }
    }
  };
  void run();
  return () => {
    stopped.abort();
    dropQueue();
    removeEventListener('pagehide', dropQueue);
    removeEventListener('online', wake);
    document.removeEventListener('visibilitychange', onVisible);
  };
}

const poll = (lastEventId: number, isProbe: boolean, signal: AbortSignal) =>
  api.get<{ events: ServerEvent[] }>(
    '/events',
    { queue_id: chat().queueId, last_event_id: lastEventId, ...(isProbe ? { dont_block: true } : {}) },
    { signal, timeoutMs: POLL_DEADLINE_MS, patience: 0 },
  );

/** Deletes the queue when the page unloads. A page restored from the back/forward cache registers a new one. */
function dropQueue(): void {
  const { queueId } = chat();
  if (queueId === '') return;
  useChat.setState({ queueId: '' });
  const headers = { 'X-Partyline-Token': currentToken() };
  const path = `/api/v1/events?queue_id=${encodeURIComponent(queueId)}`;
  void fetch(path, { method: 'DELETE', headers, keepalive: true }).catch(() => undefined);
}

const isLostQueue = (error: unknown): boolean =>
  error instanceof RequestError &&
  (error.code === 'BAD_EVENT_QUEUE_ID' || error.message.startsWith('Bad event queue id'));

async function waitBeforeRetry(failures: number, signal: AbortSignal): Promise<void> {
  const longest = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
  const ms = longest * (0.5 + Math.random() / 2);
  // One failure may be a node that is being replaced; only the second is shown.
  if (failures > 1) useChat.setState({ connection: 'offline', retryAt: Date.now() + ms });
  await pause(ms, signal).catch(() => undefined);
}
