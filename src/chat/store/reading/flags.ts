/** Rows of chat_flags: flags other than read. A row means that the flag is set. */
import type { Knex } from 'knex';
import type { UserId } from '../../model/users/user';

const MAX_ROWS = 2000;

export async function change(
  db: Knex,
  userId: UserId,
  flag: number,
  { ids, isSet }: { readonly ids: readonly number[]; readonly isSet: boolean },
): Promise<void> {
  for (let start = 0; start < ids.length; start += MAX_ROWS) {
    const some = ids.slice(start, start + MAX_ROWS);
    if (isSet) {
      const rows = some.map((id) => ({ user_id: userId, flag, message_id: id }));
      await db('chat_flags').insert(rows).onConflict().ignore();
    } else {
      await db('chat_flags').where({ user_id: userId, flag }).whereIn('message_id', some).delete();
    }
  }
}
