/** A user's own profile besides their row, in one round trip: apps request it on every start. */
import type { Knex } from 'knex';
import { send } from '../../../kernel/mysql/direct';
import type { User } from '../../model/users/user';
import type { ProfileData } from '../../model/users/user-wire';
import { ANSWERS, answersIn, type AnswerRow } from './profile-fields';

const LAST_BY = 'SELECT id FROM chat_messages WHERE realm_id = ? AND sender_id = ? ORDER BY id DESC LIMIT 1';

export interface OwnProfile {
  readonly answers: ProfileData;
  /** Their last message; −1 if there is none. */
  readonly lastMessage: number;
}

export async function of(db: Knex, { id, realmId }: User): Promise<OwnProfile> {
  const replies = await send(db, `${ANSWERS}; ${LAST_BY}`, [id, realmId, id]);
  const [rows, [last]] = replies as [AnswerRow[], [{ id: number }?]];
  return { answers: answersIn(rows), lastMessage: last?.id ?? -1 };
}
