/**
 * Waits for work that another process finishes. The row of the work is the truth. A reply published over Redis only
 * saves the wait for the next look at the rows.
 */
import type { Lifecycle } from './lifecycle';
import type { Log } from './log';
import { channelName, type Channel } from './redis/channel';
import type { Keyspace } from './redis/connections';
import type { KernelSettings } from './settings';
import { readPush, writePush } from './jobs/versions';

export interface ReplyRows<Reply> {
  /** The Redis channel that replies are published on. */
  readonly channel: string;
  /** The finished ones among these ids. */
  among(ids: readonly string[]): Promise<readonly Reply[]>;
}

interface Parts extends Keyspace {
  readonly channel: Channel;
  readonly lifecycle: Lifecycle;
  readonly log: Log;
  readonly settings: KernelSettings;
}

export class Replies<Reply extends { readonly id: string }> {
  readonly #parts: Parts;
  readonly #rows: ReplyRows<Reply>;
  readonly #waiting = new Map<string, Set<(reply: Reply) => void>>();
  #isListening = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts, rows: ReplyRows<Reply>) {
    this.#parts = parts;
    this.#rows = rows;
    // Requests and batch work may wait until their stages are over.
    parts.lifecycle.on('outbox', `replies of ${rows.channel}`, () => clearTimeout(this.#timer));
  }

  /** The number of ids waited for. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** The reply. Undefined at the deadline or when the caller gives up: then nobody knows whether the work is done. */
  wait(id: string, deadlineMs: number, calledOff?: AbortSignal): Promise<Reply | undefined> {
    this.#listen();
    return new Promise((resolve) => {
      const settle = (reply?: Reply) => {
        clearTimeout(deadline);
        calledOff?.removeEventListener('abort', onCalledOff);
        const others = this.#waiting.get(id);
        others?.delete(settle);
        if (others?.size === 0) this.#waiting.delete(id);
        resolve(reply);
      };
      const onCalledOff = () => settle();
      const deadline = setTimeout(onCalledOff, Math.max(0, deadlineMs));
      calledOff?.addEventListener('abort', onCalledOff);
      this.#waiting.set(id, (this.#waiting.get(id) ?? new Set()).add(settle));
      if (calledOff?.aborted) return settle();
      this.#poll();
    });
  }

  /** Publishes replies: whole if the caller has them, else by id, so that waiting processes read the row. */
  async publish(replies: readonly (Reply | { readonly id: string })[]): Promise<void> {
    const { namespace, redis } = this.#parts;
    const channel = channelName(namespace, this.#rows.channel);
    for (const reply of replies) await redis.commands.publish(channel, writePush(reply)).catch(() => {});
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#parts.channel
      .listen(this.#rows.channel, {
        receive: (message) => {
          const reply = readPush<Reply | { readonly id: string }>(message);
          // From a later release: read the rows instead.
          if (!reply) return void this.#look([...this.#waiting.keys()]);
          if (!this.#waiting.has(reply.id)) return;
          if ('state' in reply) this.#settle(reply as Reply);
          else void this.#look([reply.id]);
        },
        resumed: () => void this.#look([...this.#waiting.keys()]),
      })
      .catch(() => {
        this.#isListening = false;
      });
  }

  #settle(reply: Reply): void {
    for (const settle of this.#waiting.get(reply.id) ?? []) settle(reply);
  }

  async #look(ids: readonly string[]): Promise<void> {
    try {
      for (const reply of await this.#rows.among(ids)) this.#settle(reply);
    } catch (error) {
      this.#parts.log.debug({ error }, 'could not read replies; trying again');
    }
  }

  #poll(): void {
    this.#timer ??= setTimeout(() => {
      void this.#look([...this.#waiting.keys()]).then(() => {
        this.#timer = undefined;
        if (this.#waiting.size > 0) this.#poll();
      });
    }, this.#parts.settings.jobReplyPollMs);
  }
}
