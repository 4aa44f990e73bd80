/** A client that follows its queue over one connection: events are written to it as they arrive. */
import type { AnswerPath } from '../../../kernel/answer-path';
import type { Storage } from '../../../kernel/kernel';
import type { CachedQueue } from '../../actors/event-queue/queue-cache';
import type { RealmPolls } from '../../actors/recent-events/realm-polls';
import type { WaitEnd, News, WaitingClient } from '../../actors/recent-events/waiting-clients';
import { frameOf } from '../../actors/recent-events/entry';
import { MAX_STREAMED_CHARACTERS } from '../../model/events/queue';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { fillBotKeys } from '../bots/fill-bot-keys';
import { nextHeartbeat, type PollTimes } from './client-poll';
import { collectEvents } from './collect-events';
import { countRepeat, isLargeRepeat } from './resending';

/** Where the events of a stream go. */
export interface StreamConnection {
  readonly path: AnswerPath;
  /** ASCII. Returns false if so much waits to be read that the stream must end. */
  write(text: string): boolean;
  /** Resolves when the client has read what was written, or is gone. */
  drained(): Promise<void>;
  end(): void;
}

export interface StreamParts {
  readonly chat: Storage & Pick<Chat, 'changedUsers' | 'lifecycle' | 'log' | 'touches'>;
  readonly polls: RealmPolls;
  readonly queue: CachedQueue;
  readonly by: User;
  readonly times: PollTimes;
  /** The position after which the stream begins. */
  readonly cursor: number;
}

/** A node holds many of these, so an instance is small. */
export class ClientStream implements WaitingClient {
  readonly since = Date.now();
  cursor: number;
  seen: number;
  due: number;
  readonly #parts: StreamParts;
  readonly #connection: StreamConnection;
  #isOver = false;

  constructor(parts: StreamParts, connection: StreamConnection) {
    this.#parts = parts;
    this.#connection = connection;
    this.cursor = this.seen = parts.cursor;
    this.due = nextHeartbeat(parts.times);
  }

  get isStream(): boolean {
    return true;
  }

  get queue(): CachedQueue {
    return this.#parts.queue;
  }

  get user(): User {
    return this.#parts.by;
  }

  begin(): void {
    this.#catchUp().catch((error: Error) => {
      // The client learns why when it reconnects.
      this.#parts.chat.log.debug({ error }, 'an event stream ended');
      this.end('released');
    });
  }

  receive(news: News): boolean {
    if (news.kind === 'heartbeat') return this.#beat(news.position);
    if (!news.isAboutBots) return this.#write(news.events.join(''), news.last);
    // Reads the events once more, to fill in secrets. The stream waits again afterwards.
    this.seen = this.cursor;
    this.begin();
    return false;
  }

  /** The client hung up. */
  leave(): void {
    this.#isOver = true;
    this.#parts.polls.waitingClients.remove(this);
  }

  end(_ending: WaitEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#connection.end();
  }

  /** Sends what is in the log already, as fast as the client reads it, and then waits. */
  async #catchUp(): Promise<void> {
    const { chat, polls, queue, by } = this.#parts;
    while (!this.#isOver && !chat.lifecycle.draining.aborted) {
      const from = { cursor: this.seen, maxCharacters: MAX_STREAMED_CHARACTERS };
      const found = await collectEvents(polls.recentEvents, queue, by, from);
      const events = found.isAboutBots ? await fillBotKeys(chat, by, found.events) : found.events;
      if (this.#isOver) return;
      // The user's access changed meanwhile. The client must authenticate again before it gets any events.
      if (!chat.changedUsers.isCurrent(by)) return this.end('released');
      this.seen = found.at;
      if (events.length === 0) return this.#wait();
      if (isLargeRepeat(queue, from.cursor, found.size)) countRepeat(queue, found.size, this.#connection.path);
      if (!this.#write(events.map(frameOf).join(''), found.last)) return;
      await this.#connection.drained();
    }
    this.end('released');
  }

  #wait(): void {
    const { polls } = this.#parts;
    const { recentEvents, waitingClients } = polls;
    polls.wait(this);
    // Entries may have arrived since the last check.
    if (recentEvents.head > this.seen) waitingClients.look(this, recentEvents.after(this.seen));
  }

  #write(text: string, last: number): boolean {
    const { queue } = this.#parts;
    queue.sent = Math.max(queue.sent, last);
    this.cursor = last;
    if (this.#connection.write(text)) return true;
    this.end('released');
    return false;
  }

  #beat(position: number): boolean {
    const { chat, polls, queue, times } = this.#parts;
    this.due = nextHeartbeat(times);
    chat.touches.touchSoon(queue, times.expiryMs, polls.waitingClients);
    this.seen = position;
    return this.#write(frameOf(`{"id":${position - queue.base - 1},"type":"heartbeat"}`), position);
  }
}
