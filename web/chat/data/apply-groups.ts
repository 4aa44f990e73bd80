/** Applies events about what people say of themselves, and about groups of people. */
import type { ChatState } from './store';
import type { ServerEvent, Status, UserGroup } from './wire';

type Change = (state: ChatState, event: ServerEvent) => Partial<ChatState>;

const STATUS_KEYS = ['status_text', 'emoji_name', 'emoji_code', 'reaction_type', 'scheduled_end_time'] as const;

const userStatus: Change = ({ statuses }, event) => {
  const id = event['user_id'] as number;
  // What an event does not name stays as it is.
  const given = Object.fromEntries(STATUS_KEYS.filter((key) => key in event).map((key) => [key, event[key]]));
  const status: Status = { ...statuses.get(id), ...given };
  return { statuses: new Map(statuses).set(id, status) };
};

const union = (known: readonly number[], more: unknown): number[] => [...new Set([...known, ...(more as number[])])];
const less = (known: readonly number[], gone: unknown): number[] =>
  known.filter((id) => !(gone as number[]).includes(id));

type Edit = (group: UserGroup, event: ServerEvent) => Partial<UserGroup>;

const EDITS: Readonly<Record<string, Edit>> = {
  update: (_, event) => event['data'] as Partial<UserGroup>,
  add_members: ({ members }, event) => ({ members: union(members, event['user_ids']) }),
  remove_members: ({ members }, event) => ({ members: less(members, event['user_ids']) }),
  add_subgroups: ({ direct_subgroup_ids: known }, event) => ({
    direct_subgroup_ids: union(known, event['direct_subgroup_ids']),
  }),
  remove_subgroups: ({ direct_subgroup_ids: known }, event) => ({
    direct_subgroup_ids: less(known, event['direct_subgroup_ids']),
  }),
};

const changed = (group: UserGroup, event: ServerEvent): UserGroup => ({
  ...group,
  ...EDITS[event.op ?? '']?.(group, event),
});

const userGroup: Change = ({ settings }, event) => {
  const groups = (settings['realm_user_groups'] ?? []) as readonly UserGroup[];
  const id = event['group_id'] as number;
  const next =
    event.op === 'add'
      ? [...groups, event['group'] as UserGroup]
      : event.op === 'remove'
        ? groups
            .filter((each) => each.id !== id)
            .map((each) => ({ ...each, direct_subgroup_ids: less(each.direct_subgroup_ids, [id]) }))
        : groups.map((each) => (each.id === id ? changed(each, event) : each));
  return { settings: { ...settings, realm_user_groups: next } };
};

export const GROUP_CHANGES: Readonly<Record<string, Change>> = { user_status: userStatus, user_group: userGroup };
