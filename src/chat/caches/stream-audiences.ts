/**
 * Caches streams with their subscribers. A send checks the stream's version in its commit, so staleness is harmless.
 */
import { Cache, textBytes } from '../../kernel/cache/cache';
import type { Database } from '../../kernel/mysql/pool';
import { readSnapshot } from '../../kernel/mysql/snapshot';
import { encodeAudience } from '../model/events/audience';
import { messagePrefix } from '../model/messages/message-event';
import type { RealmId } from '../model/organisation/realm';
import type { Stream } from '../model/streams/stream';
import type { UserId } from '../model/users/user';
import * as streams from '../store/streams/streams';
import * as subscriptions from '../store/streams/subscriptions';

export interface StreamAudience {
  readonly stream: Stream;
  readonly subscribers: ReadonlySet<UserId>;
  /** The prefix of log entries for the stream's messages, built once instead of once per message. */
  readonly prefix: string;
}

/** Approximate size of a number in a set. */
const SUBSCRIBER_BYTES = 32;
const BOUNDS = {
  entries: 10_000,
  bytes: 32 * 1024 * 1024,
  weigh: ({ subscribers, prefix, stream }: StreamAudience) =>
    1000 + SUBSCRIBER_BYTES * subscribers.size + textBytes(prefix) + textBytes(stream.renderedDescription),
};

const keyOf = (realmId: RealmId, name: string | number) =>
  `${realmId}/${typeof name === 'number' ? `#${name}` : name.toLowerCase()}`;

export class AudienceCache {
  readonly #db: Database;
  readonly #audiences = new Cache<string, StreamAudience>(BOUNDS);

  constructor(db: Database) {
    this.#db = db;
  }

  async find(realmId: RealmId, name: string | number): Promise<StreamAudience | undefined> {
    const cached = this.#audiences.get(keyOf(realmId, name));
    if (cached) return cached;
    // Version and subscribers come from one snapshot: under READ COMMITTED each statement would have its own.
    const audience = await readSnapshot(this.#db, async (db) => {
      const find = typeof name === 'number' ? streams.byId(db, realmId, name) : streams.byName(db, realmId, name);
      const stream = await find;
      if (!stream) return undefined;
      const subscribers = await subscriptions.subscribers(db, stream.id);
      return { stream, subscribers: new Set(subscribers), prefix: messagePrefix(encodeAudience(subscribers)) };
    });
    if (audience) this.#audiences.set(keyOf(realmId, name), audience);
    return audience;
  }

  delete(realmId: RealmId, name: string | number): void {
    this.#audiences.delete(keyOf(realmId, name));
  }
}
