/** User groups in the wire format. */
import type { Wire } from '../../../kernel/text/wire';
import type { userGroup } from '../answers/users';
import type { UserId } from './user';

interface Group {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly members: readonly UserId[];
  readonly subgroups: readonly number[];
}

export const wireGroup = ({ id, name, description, members, subgroups }: Group): Wire<typeof userGroup> => ({
  id,
  name,
  description,
  members: [...members],
  direct_subgroup_ids: [...subgroups],
  is_system_group: false,
});
