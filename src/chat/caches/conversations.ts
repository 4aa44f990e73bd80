/** Caches ids of private conversations by their members. Members never change, so entries never go stale. */
import { Cache } from '../../kernel/cache/cache';
import type { Database } from '../../kernel/mysql/pool';
import type { RealmId } from '../model/organisation/realm';
import type { UserId } from '../model/users/user';
import { byMembers, membersKey } from '../store/messages/recipients';

const BOUNDS = { entries: 20_000, bytes: 8 * 1024 * 1024 };

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
