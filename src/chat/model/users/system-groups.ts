/**
 * Zulip's groups by role, which nobody changes. They are no rows: who is in them follows from the roles. Each has the groups of
 * those above in it. Clients of 2.1 know nothing of them.
 */
import type { Wire } from '../../../kernel/text/wire';
import type { userGroup } from '../answers/users';
import { roleNumber } from './role';
import type { User, UserId } from './user';

/** Above the ids of groups that are rows. */
const FIRST_ID = 2_000_000_001;

interface SystemGroup {
  readonly name: string;
  readonly description: string;
  /** The number of the role of its own members. */
  readonly role?: number;
  /** Its members are no newcomers. */
  readonly isForTrusted?: true;
  /** By name. */
  readonly within?: string;
}

const GROUPS: readonly SystemGroup[] = [
  { name: 'role:nobody', description: 'Nobody' },
  { name: 'role:owners', description: 'Owners of this organization', role: 100 },
  { name: 'role:administrators', description: 'Administrators, with owners', role: 200, within: 'role:owners' },
  { name: 'role:moderators', description: 'Moderators, and those above', role: 300, within: 'role:administrators' },
  {
    name: 'role:fullmembers',
    description: 'Members who are not new, and those above',
    role: 400,
    isForTrusted: true,
    within: 'role:moderators',
  },
  { name: 'role:members', description: 'Members, and those above', role: 400, within: 'role:fullmembers' },
  { name: 'role:everyone', description: 'Everyone, with guests', role: 600, within: 'role:members' },
  { name: 'role:internet', description: 'Everyone on the internet', within: 'role:everyone' },
];

const idOf = (name: string): number => FIRST_ID + GROUPS.findIndex((group) => group.name === name);

export const isSystemGroup = (id: number): boolean => id >= FIRST_ID;

/** Names that would be taken for those of system groups. */
export const SYSTEM_PREFIX = 'role:';

/** Those that settings name. */
export const SYSTEM_GROUPS = {
  nobody: idOf('role:nobody'),
  admins: idOf('role:administrators'),
  moderators: idOf('role:moderators'),
  fullMembers: idOf('role:fullmembers'),
  everyone: idOf('role:everyone'),
} as const;

/** Full members are those who joined until the given moment. */
const isDirectlyIn = ({ role, isForTrusted }: SystemGroup, user: User, until: Date): boolean =>
  roleNumber(user) === role && !(isForTrusted && user.joinedAt > until);

/** The ids of the groups that a user is directly in. */
export const systemGroupsOf = (user: User, until: Date): number[] =>
  GROUPS.filter((group) => isDirectlyIn(group, user, until)).map(({ name }) => idOf(name));

/** Those of these names, for mentions. They can be mentioned only silently, so nobody is looked up. */
export const systemGroupsNamed = (names: readonly string[]): { readonly id: number; readonly name: string }[] =>
  names
    .filter((name) => GROUPS.some((group) => group.name === name.toLowerCase()))
    .map((name) => ({ id: idOf(name.toLowerCase()), name: name.toLowerCase() }));

/** The ids of the members of a group: with those above in it, or its own alone. Undefined: there is no such group. */
export function systemGroupMembers(groups: readonly Wire<typeof userGroup>[], id: number, isDirect: boolean) {
  const group = groups.find((each) => each.id === id);
  if (!group) return undefined;
  const above = isDirect ? [] : group.direct_subgroup_ids;
  const all: number[] = above.flatMap((each) => systemGroupMembers(groups, each, false) ?? []);
  return [...new Set([...group.members, ...all])].sort((one, other) => one - other);
}

/** Of active users. */
export const systemGroups = (users: readonly User[], until: Date): Wire<typeof userGroup>[] =>
  GROUPS.map((group) => {
    const members: UserId[] = users.filter((user) => isDirectlyIn(group, user, until)).map(({ id }) => id);
    return {
      id: idOf(group.name),
      name: group.name,
      description: group.description,
      members,
      direct_member_ids: members,
      direct_subgroup_ids: group.within === undefined ? [] : [idOf(group.within)],
      is_system_group: true,
      deactivated: false,
    };
  });
