/** Whom and what some messages refer to, in two round trips however many they are. */
import type { Knex } from 'knex';
import type { Message } from '../model/message';
import type { RealmId } from '../model/realm';
import type { User, UserId } from '../model/user';
import * as people from './people';

export interface Surroundings {
  readonly people: ReadonlyMap<UserId, User>;
  /** Names, by the ids of streams. */
  readonly streams: ReadonlyMap<number, string>;
  /** Of private conversations. */
  readonly members: ReadonlyMap<number, readonly UserId[]>;
  /** Whether the organisation lets its members see what a message said before. */
  readonly showsEdits: boolean;
}

export async function loadSurroundings(
  db: Knex,
  realmId: RealmId,
  messages: readonly Pick<Message, 'recipientId' | 'topicId' | 'senderId'>[],
): Promise<Surroundings> {
  const placesWhere = (isStream: boolean) => [
    // Never an empty list, which SQL does not know.
    ...new Set([
      0,
      ...messages.filter(({ topicId }) => (topicId !== null) === isStream).map(({ recipientId }) => recipientId),
    ]),
  ];
  const [[names, pairs, [realm]]] = (await db.raw(
    'SELECT id, name FROM chat_streams WHERE id IN (?); ' +
      'SELECT recipient_id, user_id FROM chat_subscriptions WHERE recipient_id IN (?) ORDER BY recipient_id, user_id; ' +
      'SELECT settings FROM chat_realms WHERE id = ?',
    [placesWhere(true), placesWhere(false), realmId] as never,
  )) as [[{ id: number; name: string }[], { recipient_id: number; user_id: UserId }[], [{ settings: string }]]];
  const members = new Map<number, UserId[]>();
  for (const { recipient_id: id, user_id: user } of pairs) members.set(id, [...(members.get(id) ?? []), user]);
  const ids = new Set([...messages.map(({ senderId }) => senderId), ...pairs.map(({ user_id: user }) => user)]);
  const found = await people.byIds(db, realmId, [...ids]);
  return {
    people: new Map(found.map((user) => [user.id, user])),
    streams: new Map(names.map(({ id, name }) => [id, name])),
    members,
    showsEdits: (JSON.parse(realm?.settings ?? '{}') as { allow_edit_history?: boolean }).allow_edit_history !== false,
  };
}
