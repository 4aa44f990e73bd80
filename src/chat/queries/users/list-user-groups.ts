/** User groups, with those by role for clients that know them, and their members. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import { mapRead, runRead, together, type Read } from '../../../kernel/mysql/read-packet';
import type { Wire } from '../../../kernel/text/wire';
import type { userGroup } from '../../model/answers/users';
import type { Realm } from '../../model/organisation/realm';
import type { Profile } from '../../model/profiles/profiles';
import { fullMembersUntil } from '../../model/users/full-members';
import { isSystemGroup, systemGroupMembers, systemGroups } from '../../model/users/system-groups';
import type { User } from '../../model/users/user';
import { wireGroup } from '../../model/users/user-group';
import { noSuchGroup } from '../../model/users/user-faults';
import * as realms from '../../store/organisation/realms';
import * as groups from '../../store/users/user-groups';
import * as users from '../../store/users/users';

type WireGroup = Wire<typeof userGroup>;
type Storing = Pick<Storage, 'clock' | 'mysql'>;

export async function listUserGroups(kernel: Storing, { realmId }: User, profile: Profile): Promise<WireGroup[]> {
  const own = mapRead(groups.listRead(realmId), (all) => all.map(wireGroup));
  if (!profile.knowsRoles) return runRead(kernel.mysql, own);
  const found = await runRead(kernel.mysql, together({ own, ...roleReads(realmId) }));
  return withGroupsByRole(found.own, groupsByRole(found.everybody, found.realm!, kernel.clock.now()));
}

/** The ids of a group's members: with those of the groups in it, or of its own alone. */
export async function listGroupMembers(
  kernel: Storing,
  { realmId }: User,
  id: number,
  isDirect: boolean,
): Promise<readonly number[]> {
  if (isSystemGroup(id)) {
    const { everybody, realm } = await runRead(kernel.mysql, together(roleReads(realmId)));
    const members = systemGroupMembers(groupsByRole(everybody, realm!, kernel.clock.now()), id, isDirect);
    ensure(members !== undefined, noSuchGroup());
    return members;
  }
  const group = await groups.find(kernel.mysql, realmId, id);
  ensure(group !== undefined, noSuchGroup());
  return isDirect ? group.members : ((await groups.membersWithin(kernel.mysql, [id])).get(id) ?? []);
}

const roleReads = (realmId: Realm['id']): { everybody: Read<User[]>; realm: Read<Realm | undefined> } => ({
  everybody: users.listRead(realmId),
  realm: realms.byIdRead(realmId),
});

export const groupsByRole = (everybody: readonly User[], realm: Realm, now: Date): WireGroup[] =>
  systemGroups(
    everybody.filter(({ isActive }) => isActive),
    fullMembersUntil(realm, now),
  );

/** As today's clients get them. */
export const withGroupsByRole = (own: readonly WireGroup[], byRole: readonly WireGroup[]): WireGroup[] => [
  ...byRole,
  ...own.map((each) => ({ ...each, direct_member_ids: each.members, deactivated: false })),
];
