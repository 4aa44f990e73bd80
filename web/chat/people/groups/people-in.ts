import type { UserGroup } from '../../data/wire';

/** The people of a group: its members, and those of the groups in it. */
export function peopleIn(group: UserGroup, groups: readonly UserGroup[]): ReadonlySet<number> {
  const people = new Set<number>();
  const seen = new Set<number>();
  const add = ({ id, members, direct_subgroup_ids: inner }: UserGroup): void => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const member of members) people.add(member);
    for (const each of groups) if (inner.includes(each.id)) add(each);
  };
  add(group);
  return people;
}
