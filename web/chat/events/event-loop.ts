/**
 * Keeps the page up to date: registers an event queue and applies its events, which one tab receives for all (see
 * tabs.ts). A lost connection is retried with backoff. If the server no longer has the queue, a new one is registered and
 * the views are refreshed.
 */
import { pause } from '../../shared/http/request';
import { applyRegistered, chat, setting, useChat } from '../data/store';
import type { ServerEvent } from '../data/wire';
import { firstQueue } from '../early';
import { applyEvents, type Listener } from './apply-events';
import { refreshViews, returnOnline, sayOffline } from './connection';
import { dropQueue, isLostQueue, pollQueue } from './queue';
import { SeenEvents } from './seen-events';
import { followStream, type StreamEnd } from './stream';
import { Tabs, type Status } from './tabs';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** Pause between polls that were answered at once, so that events close together arrive in one answer. */
const BREATH_MS = 60;
/** A queue that nobody polls expires after ten minutes. */
const TOUCH_MS = 240_000;
/** A connection that is away for a moment is not worth a word. */
const OFFLINE_MS = 3000;
/** The server sends a heartbeat within 55 s. */
const QUIET_MS = 62_000;
/** After so many silent streams in a row the page polls. */
const MAX_SILENCES = 2;

/** Whether a proxy holds streams back. */
let isBuffered = false;

export function startEventLoop(onMessages: Listener): () => void {
  let loop = new EventLoop(onMessages, false);
  const hide = (): void => loop.stop();
  // From the back/forward cache.
  const show = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) loop = new EventLoop(onMessages, true);
  };
  addEventListener('pagehide', hide);
  addEventListener('pageshow', show);
  return () => {
    loop.stop();
    removeEventListener('pagehide', hide);
    removeEventListener('pageshow', show);
  };
}

class EventLoop {
  readonly #onMessages: Listener;
  readonly #stopped = new AbortController();
  /** Going online, or returning to the page, ends a long backoff. */
  #hurry = new AbortController();
  /** Undefined while there is no queue. */
  #tabs: Tabs | undefined;
  #seen = new SeenEvents(-1);
  #failures = 0;
  #silences = 0;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  /** Ends a request that may be dead, for a poll that returns at once. */
  #doubt = new AbortController();
  /** After the first registration there is nothing to refresh, because no view is loaded yet. */
  #isStale: boolean;

  constructor(onMessages: Listener, isStale: boolean) {
    this.#onMessages = onMessages;
    // After a start without a network, what was kept is shown.
    this.#isStale = isStale || (chat().ownId > 0 && chat().queueId === '');
    const { signal } = this.#stopped;
    addEventListener('offline', () => this.#expect(OFFLINE_MS), { signal });
    addEventListener('online', () => this.#return(), { signal });
    const look = (): void => void (document.visibilityState === 'visible' && this.#wake());
    document.addEventListener('visibilitychange', look, { signal });
    void this.#run();
  }

  stop(): void {
    clearTimeout(this.#quiet);
    this.#stopped.abort();
    this.#leave();
  }

  #wake(): void {
    this.#hurry.abort();
    this.#tabs?.ask(true);
  }

  /** Says that the connection is lost if nothing arrives within this time. */
  #expect(ms: number): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => sayOffline(0), ms);
  }

  #return(): void {
    clearTimeout(this.#quiet);
    if (this.#tabs?.isLeader) this.#failures = Math.max(this.#failures, 1);
    this.#doubt.abort();
    this.#wake();
  }

  /** Also deletes the queue on the server, unless it is known to be gone. */
  #leave(): void {
    this.#tabs?.close();
    this.#tabs = undefined;
    this.#isStale = true;
    dropQueue();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      try {
        await this.#follow((this.#tabs ??= await this.#join()));
      } catch (error) {
        if (signal.aborted) return;
        const isLost = this.#tabs !== undefined && isLostQueue(error);
        if (isLost) {
          useChat.setState({ queueId: '' });
          this.#leave();
        }
        this.#failures += 1;
        if (isLost && this.#failures === 1) continue;
        this.#hurry = new AbortController();
        await this.#waitBeforeRetry(AbortSignal.any([signal, this.#hurry.signal]));
      }
    }
  }

  async #join(): Promise<Tabs> {
    const { signal } = this.#stopped;
    // The first queue may already be registered.
    if (chat().queueId === '') {
      const answer = await firstQueue(signal);
      signal.throwIfAborted();
      applyRegistered(answer);
    }
    if (this.#isStale) await refreshViews();
    signal.throwIfAborted();
    this.#isStale = false;
    const last = setting('last_event_id', -1);
    const seen = (this.#seen = new SeenEvents(last));
    return new Tabs({
      account: chat().ownId,
      // A node of an earlier release counts from -1 for each queue.
      isComparable: last >= 0,
      seen,
      status: statusHere,
      onNews: (events, status) => this.#hear(events, status),
      onGap: () => this.#leave(),
      onUrgent: () => this.#hurry.abort(),
    });
  }

  /** Returns when it is time to begin again, for example because another tab leads. */
  async #follow(tabs: Tabs): Promise<void> {
    const { isLeader } = tabs;
    this.#doubt = new AbortController();
    const turn = AbortSignal.any([tabs.turn, this.#doubt.signal]);
    if (isLeader && navigator.onLine) this.#expect(QUIET_MS);
    try {
      if (!isLeader) await this.#keepQueue(turn);
      // After a failure the poll returns at once, so that the page learns that the connection is back.
      else if (this.#failures > 0 || isBuffered) await this.#poll(this.#failures > 0, turn);
      else await this.#stream(turn);
    } catch (error) {
      if (!turn.aborted) throw error;
    }
  }

  async #poll(isProbe: boolean, turn: AbortSignal): Promise<void> {
    this.#receive((await pollQueue(this.#seen.last, isProbe, turn)).events);
    // Timers of a page that nobody looks at are late.
    if (!document.hidden) await pause(BREATH_MS, turn);
  }

  async #stream(turn: AbortSignal): Promise<void> {
    const receive = (events: readonly ServerEvent[]): void => {
      if (!turn.aborted) this.#receive(events);
    };
    const end = await followStream({ queueId: chat().queueId, last: this.#seen.last, signal: turn, receive });
    this.#judge(end);
    if (!end.isSilent) await pause(end.retryMs, turn);
  }

  /** A connection that dies later is no sign of a proxy: a sleeping machine loses it too. */
  #judge({ heard, isSilent }: StreamEnd): void {
    if (heard === 0 && isSilent) this.#silences = MAX_SILENCES;
    else this.#silences = isSilent && heard === 1 ? this.#silences + 1 : 0;
    isBuffered ||= this.#silences >= MAX_SILENCES;
  }

  /** Another tab leads. A poll now and then keeps the queue for when this one has to. */
  async #keepQueue(turn: AbortSignal): Promise<void> {
    await pause(TOUCH_MS, turn);
    try {
      const { events } = await pollQueue(this.#seen.last, true, turn);
      applyEvents(this.#seen.take(batchOf(this.#seen.last, events)) ?? [], this.#onMessages);
    } catch (error) {
      // The leader notices a lost connection.
      if (isLostQueue(error)) throw error;
    }
  }

  /** What the server has sent. */
  #receive(events: readonly ServerEvent[]): void {
    if (navigator.onLine) this.#expect(QUIET_MS);
    const isBack = this.#failures > 0 || chat().connection !== 'online';
    this.#failures = 0;
    useChat.setState({ sourceQueueId: chat().queueId });
    returnOnline();
    const batch = batchOf(this.#seen.last, events);
    const fresh = this.#seen.take(batch) ?? [];
    if (isBack || events.length > 0) this.#tabs?.tell(batch);
    applyEvents(fresh, this.#onMessages);
  }

  /** What the tab that leads has received. */
  #hear(events: readonly ServerEvent[], status: Status): void {
    clearTimeout(this.#quiet);
    this.#failures = 0;
    isBuffered ||= status.isBuffered;
    useChat.setState({ sourceQueueId: status.queueId });
    if (status.isOffline) sayOffline(status.retryAt);
    else returnOnline();
    applyEvents(events, this.#onMessages);
  }

  async #waitBeforeRetry(signal: AbortSignal): Promise<void> {
    const longest = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1));
    const ms = longest * (0.5 + Math.random() / 2);
    // One failure may be a node that is being replaced; only the second is shown.
    if (this.#failures > 1) {
      sayOffline(Date.now() + ms);
      if (this.#tabs?.isLeader) this.#tabs.tell(batchOf(this.#seen.last, []));
    }
    await pause(ms, signal).catch(() => undefined);
  }
}

function statusHere(): Status {
  const { queueId, connection, retryAt } = chat();
  return { queueId, isOffline: connection === 'offline', retryAt, isBuffered };
}

const batchOf = (after: number, events: readonly ServerEvent[]) => ({
  after,
  to: events.reduce((last, { id }) => Math.max(last, id), after),
  events,
});
