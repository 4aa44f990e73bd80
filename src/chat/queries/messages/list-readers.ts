/** Who has read a message, for whoever may see it. */
import type { Database } from '../../../kernel/mysql/pool';
import type { User, UserId } from '../../model/users/user';
import { readersOf } from '../../store/reading/readers';
import { accessMessage } from './access-message';

export async function listReaders(db: Database, by: User, id: number): Promise<{ user_ids: UserId[] }> {
  return { user_ids: await readersOf(db, await accessMessage(db, by, id), by.id) };
}
