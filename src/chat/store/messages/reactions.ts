/** Rows of chat_reactions. */
import type { Knex } from 'knex';
import { searchableId } from '../../../kernel/id';
import { known, readOf, runRead, type Read } from '../../../kernel/mysql/read-packet';
import type { Message } from '../../model/messages/message';
import { wireReaction, type Emoji } from '../../model/messages/reaction';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { grouped } from '../rows';

export type WireReaction = ReturnType<typeof wireReaction>;

interface Row {
  message_id: number;
  user_id: UserId;
  type: string;
  code: string;
  name: string;
}

type Reactions = Map<number, WireReaction[]>;

/** Reactions by message, in the order they were added, in the wire format. */
export const byMessages = (db: Knex, realmId: RealmId, ids: readonly number[]): Promise<Reactions> =>
  runRead(db, reactionsRead(realmId, ids));

export function reactionsRead(realmId: RealmId, ids: readonly number[]): Read<Reactions> {
  if (ids.length === 0) return known(new Map<number, WireReaction[]>());
  return readOf(
    'SELECT r.message_id, r.user_id, r.type, r.code, r.name, u.email, u.full_name FROM chat_reactions r ' +
      'JOIN chat_users u ON u.id = r.user_id WHERE r.realm_id = ? AND r.message_id IN (?) ORDER BY r.id',
    [realmId, ids],
    reactionsOf,
  );
}

const reactionsOf = (rows: readonly (Row & { email: string; full_name: string })[]): Reactions =>
  grouped(
    rows.map((row) => {
      const user = { id: row.user_id, email: row.email, fullName: row.full_name };
      return [row.message_id, wireReaction(row, user)];
    }),
  );

type Place = Pick<Message, 'realmId' | 'id'>;
const at = ({ realmId, id }: Place, { type, code }: Pick<Emoji, 'type' | 'code'>) => ({
  realm_id: realmId,
  message_id: id,
  type: searchableId(type),
  code: searchableId(code),
});

/** The users who reacted with one emoji, and the name that the first of them gave it. */
export async function alike(db: Knex, message: Place, emoji: Emoji): Promise<{ userIds: UserId[]; name?: string }> {
  const rows = (await db('chat_reactions').where(at(message, emoji)).orderBy('id').select('user_id', 'name')) as Row[];
  const [first] = rows;
  return { userIds: rows.map(({ user_id: userId }) => userId), ...(first ? { name: first.name } : {}) };
}

export async function insert(db: Knex, message: Place, emoji: Emoji, userId: UserId): Promise<void> {
  await db('chat_reactions').insert({ ...at(message, emoji), name: emoji.name, user_id: userId });
}

export async function remove(db: Knex, message: Place, emoji: Emoji, userId: UserId): Promise<void> {
  await db('chat_reactions')
    .where({ ...at(message, emoji), user_id: userId })
    .delete();
}
