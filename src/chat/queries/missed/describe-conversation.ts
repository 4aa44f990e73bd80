/** Where some messages of one conversation were said, and by whom: for mail and for pushes. */
import type { Database } from '../../../kernel/mysql/pool';
import type { Message } from '../../model/messages/message';
import type { User, UserId } from '../../model/users/user';
import { membersOf } from '../../store/messages/recipients';
import * as streams from '../../store/streams/streams';
import * as people from '../../store/users/people';

export type Place =
  /** With oneself alone there is nobody else: then it is oneself. */
  | { readonly kind: 'private'; readonly others: readonly UserId[] }
  | { readonly kind: 'topic'; readonly stream: { readonly id: number; readonly name: string }; readonly topic: string };

export interface Described {
  readonly place: Place;
  /** Of the senders, and of the first others in a private conversation. */
  readonly nameOf: (id: UserId) => string;
}

/** Others of a private conversation who are named. */
export const MAX_NAMED = 3;

/** The messages belong to one conversation, so one of them determines it. */
export async function describeConversation(
  db: Database,
  reader: Pick<User, 'id' | 'realmId'>,
  said: readonly Message[],
): Promise<Described> {
  const place = await placeOf(db, reader, said[0]!);
  const others = place.kind === 'private' ? place.others.slice(0, MAX_NAMED + 1) : [];
  const names = await people.namesOf(db, [...said.map(({ senderId }) => senderId), ...others]);
  return { place, nameOf: (id) => names.get(id) ?? '?' };
}

async function placeOf(
  db: Database,
  reader: Pick<User, 'id' | 'realmId'>,
  { topicId, recipientId, topic }: Message,
): Promise<Place> {
  if (topicId === null) {
    const members = await membersOf(db, recipientId);
    const others = members.filter((id) => id !== reader.id).toSorted((one, other) => one - other);
    return { kind: 'private', others: others.length === 0 ? [reader.id] : others };
  }
  const stream = await streams.byId(db, reader.realmId, recipientId);
  return { kind: 'topic', stream: { id: recipientId, name: stream?.name ?? '?' }, topic };
}
