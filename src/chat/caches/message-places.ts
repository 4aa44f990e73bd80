/** Caches ids of topics and of private conversations. They and the members never change: no entry goes stale. */
import { Cache } from '../../kernel/cache/cache';
import type { Database } from '../../kernel/mysql/pool';
import type { RealmId } from '../model/organisation/realm';
import type { UserId } from '../model/users/user';
import { byMembers, membersKey } from '../store/messages/recipients';
import * as topics from '../store/messages/topics';

const BOUNDS = { entries: 20_000, bytes: 8 * 1024 * 1024 };

const keyOf = (recipientId: number, name: string) => `${recipientId}/${name}`;

export class TopicCache {
  readonly #db: Database;
  readonly #ids = new Cache<string, number>(BOUNDS);

  constructor(db: Database) {
    this.#db = db;
  }

  /** Finds or creates the topic: posting to a topic creates it. */
  async ensure(recipientId: number, name: string): Promise<number> {
    const cached = this.#ids.get(keyOf(recipientId, name));
    if (cached !== undefined) return cached;
    const id = await topics.ensure(this.#db, recipientId, name);
    this.#ids.set(keyOf(recipientId, name), id);
    return id;
  }
}

export class ConversationCache {
  readonly #db: Database;
  readonly #ids = new Cache<string, number>(BOUNDS);

  constructor(db: Database) {
    this.#db = db;
  }

  async find(realmId: RealmId, members: readonly UserId[]): Promise<number | undefined> {
    const key = `${realmId}/${membersKey(members)}`;
    const cached = this.#ids.get(key);
    if (cached !== undefined) return cached;
    const id = await byMembers(this.#db, realmId, members);
    if (id !== undefined) this.#ids.set(key, id);
    return id;
  }
}
