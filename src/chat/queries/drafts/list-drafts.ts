/** A person's own drafts. */
import type { Database } from '../../../kernel/mysql/pool';
import type { User } from '../../model/users/user';
import * as savedDrafts from '../../store/drafts/saved-drafts';

export async function listDrafts(db: Database, by: User) {
  const drafts = await savedDrafts.list(db, by.id);
  return { count: drafts.length, drafts };
}
