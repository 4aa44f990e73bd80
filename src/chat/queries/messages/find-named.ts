/** Looks up the users, groups and streams that a message names: one query per kind, none if it names nothing. */
import type { Database } from '../../../kernel/mysql/pool';
import type { KnownStream, KnownUser, RenderContext } from '../../model/markdown/context';
import { references } from '../../model/markdown/references';
import type { RealmId } from '../../model/organisation/realm';
import { maySee } from '../../model/streams/stream-policy';
import type { User } from '../../model/users/user';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';
import * as people from '../../store/users/people';
import * as userGroups from '../../store/users/user-groups';

export interface Named extends Pick<RenderContext, 'users' | 'addressees' | 'streams'> {
  readonly groups: readonly userGroups.UserGroup[];
}

const NOTHING: Named = { users: [], addressees: [], groups: [], streams: [] };

/** Without an author, only what everyone may know is found. */
export async function findNamed(db: Database, realmId: RealmId, content: string, by?: User): Promise<Named> {
  const names = references(content);
  if (Object.values(names).every((list) => list.length === 0)) return NOTHING;
  const [users, addressees, groups, known] = await Promise.all([
    findUsers(db, realmId, names.users),
    people.byEmails(db, realmId, names.addresses),
    userGroups.byNames(db, realmId, names.groups),
    findStreams(db, realmId, names.streams, by),
  ]);
  return { users, addressees: addressees.map(({ id, email }) => ({ id, email })), groups, streams: known };
}

/** By full name, or by `Name|ID`. */
async function findUsers(db: Database, realmId: RealmId, names: readonly string[]): Promise<KnownUser[]> {
  const ids = names.flatMap((name) => /\|(\d{1,9})$/.exec(name)?.[1] ?? []).map(Number);
  const [byName, byId] = await Promise.all([people.byFullNames(db, realmId, names), people.byIds(db, realmId, ids)]);
  return [...byName, ...byId].filter(({ isActive }) => isActive).map(({ id, fullName }) => ({ id, fullName }));
}

/** A link would reveal to its author that a stream exists, so only streams that the author may see are linked. */
async function findStreams(
  db: Database,
  realmId: RealmId,
  names: readonly string[],
  by?: User,
): Promise<KnownStream[]> {
  if (names.length === 0) return [];
  const found = await streams.byNames(db, realmId, names);
  const ids = found.map(({ id }) => id);
  const own = by ? await subscriptions.among(db, ids, [by.id]) : [];
  const heard = new Set(own.filter(({ isActive }) => isActive).map(({ streamId }) => streamId));
  const viewer = by ?? { role: 'member' as const };
  return found.filter((stream) => maySee(viewer, stream, heard.has(stream.id))).map(({ id, name }) => ({ id, name }));
}
