/** The users, streams and conversations that messages refer to, in a fixed number of statements. */
import { readOf, together, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';
import type { MessageRef } from '../../model/reading/read-state';
import type { User, UserId } from '../../model/users/user';
import * as linkifiers from '../organisation/linkifiers';
import { grouped } from '../rows';
import { COLUMNS, userOf, type Row as UserRow } from '../users/users';

export interface Surroundings {
  readonly senders: ReadonlyMap<UserId, User>;
  /** Stream names by id. */
  readonly streams: ReadonlyMap<number, string>;
  /** Members of private conversations. */
  readonly members: ReadonlyMap<number, readonly User[]>;
  readonly realm: SurroundingRealm;
  readonly linkifiers: readonly linkifiers.Linkifier[];
}

interface SurroundingRealm {
  readonly subdomain: string;
  /** Whether members may see the edit history of messages. */
  readonly showsEdits: boolean;
}

/** Distinct ids, never an empty list, because SQL has none. */
const listOf = (ids: readonly number[]): number[] => [...new Set([0, ...ids])];

const USER = COLUMNS.join(', ');

export function surroundingsRead(
  realmId: RealmId,
  messages: readonly Pick<MessageRef, 'recipientId' | 'topicId' | 'senderId'>[],
): Read<Surroundings> {
  const placesWhere = (isStream: boolean) =>
    listOf(messages.filter(({ topicId }) => (topicId !== null) === isStream).map(({ recipientId }) => recipientId));
  return together({
    senders: readOf(
      `SELECT ${USER} FROM chat_users WHERE chat_users.realm_id = ? AND chat_users.id IN (?)`,
      [realmId, listOf(messages.map(({ senderId }) => senderId))],
      (rows: readonly UserRow[]) => new Map(rows.map(userOf).map((user) => [user.id, user])),
    ),
    streams: readOf(
      'SELECT id, name FROM chat_streams WHERE id IN (?)',
      [placesWhere(true)],
      (rows: readonly { id: number; name: string }[]) => new Map(rows.map(({ id, name }) => [id, name])),
    ),
    members: readOf(
      `SELECT s.recipient_id, ${USER} FROM chat_subscriptions s JOIN chat_users ON chat_users.id = s.user_id ` +
        'WHERE s.recipient_id IN (?) AND chat_users.realm_id = ? ORDER BY s.recipient_id, s.user_id',
      [placesWhere(false), realmId],
      membersOf,
    ),
    realm: readOf('SELECT subdomain, settings FROM chat_realms WHERE id = ?', [realmId], realmOf),
    linkifiers: linkifiers.listRead(realmId),
  });
}

const membersOf = (rows: readonly (UserRow & { recipient_id: number })[]): Map<number, User[]> =>
  grouped(rows.map(({ recipient_id: recipientId, ...row }) => [recipientId, userOf(row)]));

function realmOf([realm]: readonly { subdomain: string; settings: string | null }[]): SurroundingRealm {
  const settings = JSON.parse(realm?.settings ?? '{}') as { allow_edit_history?: boolean };
  return { subdomain: realm?.subdomain ?? '', showsEdits: settings.allow_edit_history !== false };
}
