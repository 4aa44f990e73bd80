/** Looks up the names in narrows: streams, topics, users, conversations and public streams. */
import type { Statement } from '../../../kernel/mysql/commit-statements';
import { readOf, together, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';
import type { Stream } from '../../model/streams/stream';
import type { User, UserId } from '../../model/users/user';
import { membersKeySql } from '../messages/recipients';
import { streamOf, type Row as StreamRow } from '../streams/streams';
import { exactly, looksLikeSql } from '../users/user-emails';
import { COLUMNS, userOf, type Row as UserRow } from '../users/users';
import { withinPlaces, type Places } from './read-state';

/** A stream by id, or by its case-insensitive name. */
const streamWhere = (realmId: RealmId, named: string | number): Statement => ({
  sql: `s.realm_id = ? AND s.is_active AND ${typeof named === 'number' ? 's.id = ?' : 's.name_key = LOWER(?)'}`,
  bindings: [realmId, named],
});

/** Selects the stream's id. */
export function streamPlace(realmId: RealmId, named: string | number): Statement {
  const { sql, bindings } = streamWhere(realmId, named);
  return { sql: `SELECT s.id FROM chat_streams s WHERE ${sql}`, bindings };
}

export interface NamedStream {
  readonly stream: Stream;
  /** Whether the reader is or was subscribed. */
  readonly isTheirs: boolean;
}

export function streamRead(by: User, named: string | number): Read<NamedStream | undefined> {
  const { sql, bindings } = streamWhere(by.realmId, named);
  return readOf(
    'SELECT s.*, EXISTS (SELECT 1 FROM chat_subscriptions x WHERE x.recipient_id = s.id AND x.user_id = ?) AS is_theirs ' +
      `FROM chat_streams s WHERE ${sql}`,
    [by.id, ...bindings],
    ([row]: readonly (StreamRow & { is_theirs: number })[]) =>
      row && { stream: streamOf(row), isTheirs: row.is_theirs === 1 },
  );
}

/** Ids or email addresses; not both. */
export type PeopleNames = readonly (number | string)[];

const areIds = (named: PeopleNames): named is readonly number[] => named.every((each) => typeof each === 'number');

const peopleWhere = (named: PeopleNames): Statement =>
  areIds(named)
    ? // SQL has no empty list.
      { sql: 'chat_users.id IN (?)', bindings: [named.length === 0 ? [0] : named] }
    : looksLikeSql(named as readonly string[]);

export function peopleRead(realmId: RealmId, named: PeopleNames): Read<User[]> {
  const { sql, bindings } = peopleWhere(named);
  return readOf(
    `SELECT ${COLUMNS.join(', ')} FROM chat_users WHERE chat_users.realm_id = ? AND (${sql})`,
    [realmId, ...bindings],
    (rows: readonly UserRow[]) => (areIds(named) ? rows : exactly(rows, named as readonly string[])).map(userOf),
  );
}

/**
 * Selects the id of the conversation between the reader and these users; empty if there is none. Addresses also match
 * what looks like them: peopleRead tells whether they are anybody's.
 */
export function conversationPlace(by: User, named: PeopleNames): Statement {
  const { sql, bindings } = peopleWhere(named);
  const members = membersKeySql({
    sql: `SELECT chat_users.id FROM chat_users WHERE chat_users.realm_id = ? AND (chat_users.id = ? OR ${sql})`,
    bindings: [by.realmId, by.id, ...bindings],
  });
  return {
    sql: `SELECT r.id FROM chat_recipients r WHERE r.realm_id = ? AND r.members = ${members.sql}`,
    bindings: [by.realmId, ...members.bindings],
  };
}

const ids = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);

export interface NamedConversation {
  readonly people: readonly User[];
  readonly ids: readonly number[];
}

export function conversationRead(by: User, named: PeopleNames): Read<NamedConversation> {
  const { sql, bindings } = conversationPlace(by, named);
  return together({ people: peopleRead(by.realmId, named), ids: readOf(sql, bindings, ids) });
}

/** The topic of this case-insensitive name in a stream. */
export function streamTopicsRead(realmId: RealmId, stream: string | number, name: string): Read<number[]> {
  const { sql, bindings } = streamWhere(realmId, stream);
  return readOf(
    // Starts with the stream: many streams may have a topic of this name.
    'SELECT t.id FROM chat_streams s STRAIGHT_JOIN chat_topics t ON t.recipient_id = s.id AND t.name_key = LOWER(?) ' +
      `WHERE ${sql}`,
    [name, ...bindings],
    ids,
  );
}

/** Topics of this case-insensitive name in streams to which the reader is or was subscribed. */
export function topicsRead(userId: UserId, name: string, places: Places): Read<number[]> {
  const within = withinPlaces('x.recipient_id', places);
  return readOf(
    'SELECT t.id FROM chat_subscriptions x JOIN chat_topics t ON t.recipient_id = x.recipient_id ' +
      `AND t.name_key = LOWER(?) WHERE x.user_id = ? AND ${within.sql}`,
    [name, userId, ...within.bindings],
    ids,
  );
}

const PUBLIC = 's.realm_id = ? AND NOT s.is_private AND s.is_active';

export const publicTopicsRead = (realmId: RealmId, name: string): Read<number[]> =>
  readOf(
    'SELECT t.id FROM chat_streams s JOIN chat_topics t ON t.recipient_id = s.id AND t.name_key = LOWER(?) ' +
      `WHERE ${PUBLIC}`,
    [name, realmId],
    ids,
  );

export const publicStreamsRead = (realmId: RealmId): Read<number[]> =>
  readOf(`SELECT s.id FROM chat_streams s WHERE ${PUBLIC}`, [realmId], ids);

/** Conversations that include the reader and this user: all, or those of three or more people. */
export function sharedRead(by: User, named: number | string, areGroups: boolean): Read<number[]> {
  const { sql, bindings } = peopleWhere([named]);
  return readOf(
    'SELECT r.id, r.members FROM chat_subscriptions s JOIN chat_recipients r ON r.id = s.recipient_id ' +
      'JOIN chat_subscriptions o ON o.recipient_id = s.recipient_id ' +
      'JOIN chat_users ON chat_users.id = o.user_id ' +
      `WHERE s.user_id = ? AND r.members IS NOT NULL AND chat_users.realm_id = ? AND (${sql})`,
    [by.id, by.realmId, ...bindings],
    (rows: readonly { id: number; members: string }[]) =>
      // A long member list is stored as a hash.
      ids(rows.filter(({ members }) => !areGroups || members.startsWith('#') || members.split(',').length > 2)),
  );
}
