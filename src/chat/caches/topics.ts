/** Caches topic ids. An id never changes, so entries never go stale. */
import { Cache } from '../../kernel/cache/cache';
import type { Database } from '../../kernel/mysql/pool';
import * as topics from '../store/messages/topics';

const BOUNDS = { entries: 20_000, bytes: 8 * 1024 * 1024 };

const keyOf = (recipientId: number, name: string) => `${recipientId}/${name}`;

export class TopicCache {
  readonly #db: Database;
  readonly #ids = new Cache<string, number>(BOUNDS);

  constructor(db: Database) {
    this.#db = db;
  }

  getCached(recipientId: number, name: string): number | undefined {
    return this.#ids.get(keyOf(recipientId, name));
  }

  /** Finds or creates the topic: posting to a topic creates it. */
  async ensure(recipientId: number, name: string): Promise<number> {
    const cached = this.getCached(recipientId, name);
    if (cached !== undefined) return cached;
    const id = await topics.ensure(this.#db, recipientId, name);
    this.#ids.set(keyOf(recipientId, name), id);
    return id;
  }
}
