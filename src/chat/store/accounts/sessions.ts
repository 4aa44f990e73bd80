/** Rows of chat_sessions. */
import type { Knex } from 'knex';
import * as sqlParts from '../../../kernel/mysql/sql-parts';
import { send } from '../../../kernel/mysql/direct';
import type { Browser } from '../../../kernel/sessions/page-session';
import type { Session, SessionId } from '../../model/accounts/session';
import type { User, UserId } from '../../model/users/user';
import { COLUMNS, userOf, type Row as UserRow } from '../users/users';

export interface NewSession extends Browser {
  readonly userId: UserId;
  readonly tokenHash: string;
  /** Whether an external provider authenticated the user. That provider handles second factors itself. */
  readonly isExternal: boolean;
}

export async function insert(db: Knex, session: NewSession): Promise<SessionId> {
  const [id] = await db('chat_sessions').insert({
    user_id: session.userId,
    token_hash: session.tokenHash,
    is_external: session.isExternal,
    agent: session.agent,
    address: session.address,
    created_at: db.raw('NOW(3)'),
    last_used_at: db.raw('NOW(3)'),
  });
  return id as SessionId;
}

const BY_TOKEN_HASH =
  `SELECT ${COLUMNS.join(', ')}, chat_realms.is_active AS is_realm_active, chat_sessions.id AS session_id, ` +
  'TIMESTAMPDIFF(SECOND, chat_sessions.last_used_at, NOW(3)) AS unused_seconds, ' +
  'is_two_factor_required = 1 AND chat_sessions.is_external = 0 AND chat_two_factor.user_id IS NULL AS lacks_factor ' +
  'FROM chat_sessions ' +
  'JOIN chat_users ON chat_users.id = chat_sessions.user_id JOIN chat_realms ON chat_realms.id = chat_users.realm_id ' +
  'LEFT JOIN chat_sign_in_rules ON chat_sign_in_rules.realm_id = chat_users.realm_id ' +
  'LEFT JOIN chat_two_factor ON chat_two_factor.user_id = chat_users.id AND chat_two_factor.is_on = 1 ' +
  'WHERE chat_sessions.token_hash = ? AND chat_sessions.last_used_at > NOW(3) - INTERVAL ? DAY LIMIT 1';

export interface FoundSession {
  readonly id: SessionId;
  readonly user: User;
  readonly isRealmActive: boolean;
  readonly unusedMs: number;
  /** The organisation requires a second factor, and the user has none. */
  readonly lacksFactor: boolean;
}

/** Finds a session by its token; undefined if it does not exist or was unused for this many days. */
export async function byTokenHash(db: Knex, tokenHash: string, days: number): Promise<FoundSession | undefined> {
  type Found = UserRow & {
    is_realm_active: number;
    session_id: SessionId;
    unused_seconds: number;
    lacks_factor: number | null;
  };
  const [found] = (await send(db, BY_TOKEN_HASH, [tokenHash, days])) as [Found?];
  if (!found) return undefined;
  const { session_id: id, is_realm_active: isRealmActive, unused_seconds: unused, lacks_factor: lacks, ...row } = found;
  return {
    id,
    user: userOf(row),
    isRealmActive: isRealmActive === 1,
    unusedMs: unused * 1000,
    lacksFactor: lacks === 1,
  };
}

const USED_WITHIN = 'last_used_at > NOW(3) - INTERVAL ? DAY';

export async function noteUse(db: Knex, id: SessionId): Promise<void> {
  await db('chat_sessions')
    .where({ id })
    .update({ last_used_at: db.raw('NOW(3)') });
}

/** Whether a session was used within these days. */
export const isOpen = async (db: Knex, id: number, days: number): Promise<boolean> =>
  (await db('chat_sessions').where({ id }).whereRaw(USED_WITHIN, [days]).first('id')) !== undefined;

/** Most recently used first. */
export async function list(db: Knex, userId: UserId, days: number): Promise<Session[]> {
  return db('chat_sessions')
    .where({ user_id: userId })
    .whereRaw(USED_WITHIN, [days])
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .select('id', 'agent', 'address', { createdAt: 'created_at', lastUsedAt: 'last_used_at' });
}

export async function remove(db: Knex, userId: UserId, id: number): Promise<boolean> {
  return (await db('chat_sessions').where({ id, user_id: userId }).delete()) > 0;
}

/** Removes all of a user's sessions but the one with this hash. */
export async function removeAllOf(db: Knex, userId: UserId, keptHash = ''): Promise<number> {
  return db('chat_sessions').where({ user_id: userId }).whereNot({ token_hash: keptHash }).delete();
}

/** Removes the least recently used sessions beyond this number. */
export const removeBeyond = (db: Knex, userId: UserId, most: number): Promise<number> =>
  sqlParts.removeBeyond(db, 'chat_sessions', { user_id: userId }, most);
