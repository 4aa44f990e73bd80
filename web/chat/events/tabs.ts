/**
 * The tabs of an account in one browser. One of them leads: it follows the events for all, because a browser opens only
 * six connections to a server. The leader holds a lock, which passes to another tab when the leader is closed. A tab
 * that does not hear from the leader takes the lock away from it.
 */
import { newKey } from '../data/stored';
import type { ServerEvent } from '../data/wire';
import type { Batch, SeenEvents } from './seen-events';

/** How the connection of the leader is. */
export interface Status {
  readonly queueId: string;
  readonly isOffline: boolean;
  readonly retryAt: number;
  /** Whether a proxy holds streams back, so that tabs poll. */
  readonly isBuffered: boolean;
}

interface Question {
  readonly asks: string;
  readonly last: number;
  readonly isUrgent: boolean;
}

interface News {
  /** The question, if this is the answer to one. */
  readonly answers?: string;
  readonly batch: Batch;
  readonly status: Status;
}

interface TabsParts {
  readonly account: number;
  /** Whether the ids of this tab's events can be compared with those of other tabs. */
  readonly isComparable: boolean;
  readonly seen: SeenEvents;
  readonly status: () => Status;
  /** What the leader has received and is new here. */
  readonly onNews: (events: readonly ServerEvent[], status: Status) => void;
  /** No tab has all events that are missing here. */
  readonly onGap: () => void;
  /** Somebody looks at a tab that this one leads. */
  readonly onUrgent: () => void;
}

/** How often a tab makes sure that the leader is there, which its browser may have frozen. */
const CHECK_MS = 20_000;
/** Tabs that hear nothing take the lock at different times. */
const ANSWER_MS = 5000;
/** Changes with the form of what tabs tell each other: tabs of two releases may be open. */
const NAME = 'partyline-events-1';

export class Tabs {
  readonly #parts: TabsParts;
  readonly #name: string;
  readonly #channel: BroadcastChannel | undefined;
  readonly #closed = new AbortController();
  #isLeader = false;
  #turn = new AbortController();
  #waiting = new AbortController();
  #takesOver = false;
  /** The question that has no answer yet. */
  #asked = '';
  #patience: ReturnType<typeof setTimeout> | undefined;
  #checks: ReturnType<typeof setInterval> | undefined;

  constructor(parts: TabsParts) {
    this.#parts = parts;
    this.#name = `${NAME}-${parts.account}`;
    // Browsers have locks only on pages that came over TLS, or from the same machine.
    if (!parts.isComparable || !('locks' in navigator) || !('BroadcastChannel' in globalThis)) {
      this.#isLeader = true;
      return;
    }
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Question | News>) =>
      'asks' in data ? this.#answer(data) : this.#hear(data),
    );
    this.#checks = setInterval(() => this.ask(), CHECK_MS);
    void this.#stand();
    this.ask();
  }

  get isLeader(): boolean {
    return this.#isLeader;
  }

  /** Aborted when this tab begins to lead, ceases to, or is closed. */
  get turn(): AbortSignal {
    return this.#turn.signal;
  }

  /** Passes on what this tab has received for all. */
  tell(batch: Batch): void {
    this.#channel?.postMessage({ batch, status: this.#parts.status() } satisfies News);
  }

  /** Asks the leader for what is missing here. */
  ask(isUrgent = false): void {
    if (this.#isLeader || this.#asked !== '' || !this.#channel) return;
    this.#asked = newKey();
    this.#channel.postMessage({ asks: this.#asked, last: this.#parts.seen.last, isUrgent } satisfies Question);
    this.#patience = setTimeout(
      () => {
        this.#asked = '';
        this.#takesOver = true;
        this.#waiting.abort();
      },
      ANSWER_MS * (1 + Math.random()),
    );
  }

  close(): void {
    this.#closed.abort();
    clearInterval(this.#checks);
    this.#stopAsking();
    this.#waiting.abort();
    this.#channel?.close();
    this.#isLeader = false;
    this.#turn.abort();
  }

  #answer({ asks, last, isUrgent }: Question): void {
    if (!this.#isLeader) return;
    const { seen, status, onUrgent } = this.#parts;
    this.#channel?.postMessage({ answers: asks, batch: seen.since(last), status: status() } satisfies News);
    if (isUrgent) onUrgent();
  }

  #hear({ answers, batch, status }: News): void {
    // Another tab leads now, and this one will notice; or the answer is for another tab.
    if (this.#isLeader || (answers !== undefined && answers !== this.#asked)) return;
    const fresh = this.#parts.seen.take(batch);
    if (fresh) {
      this.#stopAsking();
      this.#parts.onNews(fresh, status);
    } else if (answers === undefined) this.ask();
    else this.#parts.onGap();
  }

  #stopAsking(): void {
    clearTimeout(this.#patience);
    this.#asked = '';
  }

  /** Waits for the lock for as long as the tab is open. */
  async #stand(): Promise<void> {
    const { signal: closed } = this.#closed;
    while (!closed.aborted) {
      this.#waiting = new AbortController();
      const options = this.#takesOver ? { steal: true } : { signal: this.#waiting.signal };
      this.#takesOver = false;
      try {
        await navigator.locks.request(this.#name, options, () => this.#lead());
      } catch (error) {
        // The lock was taken away, or this tab ceased to wait for it. Without locks, it leads itself.
        if ((error as DOMException).name !== 'AbortError') return this.#change(true);
      }
      if (!closed.aborted) this.#change(false);
    }
  }

  /** Resolves when the tab is closed. */
  #lead(): Promise<void> {
    const { signal: closed } = this.#closed;
    if (closed.aborted) return Promise.resolve();
    this.#change(true);
    return new Promise((resolve) => closed.addEventListener('abort', () => resolve(), { once: true }));
  }

  #change(isLeader: boolean): void {
    if (this.#isLeader === isLeader) return;
    this.#isLeader = isLeader;
    this.#stopAsking();
    const before = this.#turn;
    this.#turn = new AbortController();
    before.abort();
    const { seen } = this.#parts;
    if (isLeader) this.tell(seen.since(seen.last));
    else this.ask();
  }
}
