/** Creates, changes and removes user groups, which can be mentioned together. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import { ifDuplicate } from '../../../kernel/mysql/outcome';
import type { Tx } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import { badRequest } from '../../model/faults';
import { checkLength } from '../../model/text-length';
import type { User, UserId } from '../../model/users/user';
import {
  againstPolicy,
  groupNameTaken,
  insufficientPermission,
  invalidUserId,
  noSuchGroup,
  nothingToDo,
  reservedGroupName,
} from '../../model/users/user-faults';
import { mayEditGroups } from '../../model/streams/stream-policy';
import { moderates } from '../../model/users/role';
import { isSystemGroup, SYSTEM_PREFIX } from '../../model/users/system-groups';
import { wireGroup } from '../../model/users/user-group';
import { ensureMember } from '../../model/users/user-policy';
import * as realms from '../../store/organisation/realms';
import * as people from '../../store/users/people';
import * as groups from '../../store/users/user-groups';

export interface GroupDraft {
  readonly name: string;
  readonly description: string;
  readonly members: readonly number[];
}

const MAX_NAME_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 1024;

export async function ensureMayEdit({ mysql, clock }: Pick<Storage, 'mysql' | 'clock'>, by: User): Promise<void> {
  ensureMember(by);
  const { settings } = (await realms.byId(mysql, by.realmId))!;
  ensure(mayEditGroups(by, settings, clock.now()), againstPolicy(settings.user_group_edit_policy));
}

function checkLengths({ name = '', description = '' }: { name?: string; description?: string }): void {
  checkLength('name', name, MAX_NAME_LENGTH);
  checkLength('description', description, MAX_DESCRIPTION_LENGTH);
}

async function findMembers(tx: Tx, by: User, ids: readonly number[]): Promise<UserId[]> {
  const found = await people.byIds(tx.db, by.realmId, ids);
  const active = new Set<number>(found.filter(({ isActive }) => isActive).map(({ id }) => id));
  for (const id of ids) ensure(active.has(id), invalidUserId(id));
  return [...new Set(ids)] as UserId[];
}

export async function createUserGroup(kernel: Storage, by: User, draft: GroupDraft): Promise<void> {
  await ensureMayEdit(kernel, by);
  checkLengths(draft);
  const { name, description } = draft;
  ensure(name.trim() !== '', badRequest('Name cannot be blank.'));
  ensure(!name.startsWith(SYSTEM_PREFIX), reservedGroupName(SYSTEM_PREFIX));
  await kernel.transaction(async (tx) => {
    const members = await findMembers(tx, by, draft.members);
    const id = await groups
      .insert(tx.db, by.realmId, { name, description, members })
      .catch(ifDuplicate(() => groupNameTaken(name)));
    publish(tx, by, { op: 'add', group: wireGroup({ id, name, description, members, subgroups: [] }) });
  });
}

/** Moderators may change any group, other users only groups they belong to. */
export async function lockGroup(tx: Tx, by: User, id: number): Promise<groups.UserGroup> {
  ensure(!isSystemGroup(id), insufficientPermission());
  const group = await groups.lock(tx.db, by.realmId, id);
  ensure(group !== undefined, noSuchGroup());
  ensure(moderates(by) || group.members.includes(by.id), insufficientPermission());
  return group;
}

export interface GroupEdit {
  readonly name: string;
  readonly description: string;
}

export async function updateUserGroup(
  kernel: Storage,
  by: User,
  id: number,
  { name, description }: GroupEdit,
): Promise<Record<string, string>> {
  await ensureMayEdit(kernel, by);
  ensure(name !== '' || description !== '', badRequest('No new data supplied'));
  checkLengths({ name, description });
  ensure(!name.startsWith(SYSTEM_PREFIX), reservedGroupName(SYSTEM_PREFIX));
  const answer: Record<string, string> = {};
  await kernel.transaction(async (tx) => {
    const group = await lockGroup(tx, by, id);
    for (const [property, value] of Object.entries({ name, description })) {
      if (value === '' || value === group[property as keyof GroupEdit]) continue;
      await groups.update(tx.db, id, { [property]: value }).catch(ifDuplicate(() => groupNameTaken(name)));
      publish(tx, by, { op: 'update', group_id: id, data: { [property]: value } });
      answer[property] = `${property === 'name' ? 'Name' : 'Description'} successfully updated.`;
    }
  });
  return answer;
}

export async function removeUserGroup(kernel: Storage, by: User, id: number): Promise<void> {
  await ensureMayEdit(kernel, by);
  await kernel.transaction(async (tx) => {
    await lockGroup(tx, by, id);
    await groups.remove(tx.db, id);
    publish(tx, by, { op: 'remove', group_id: id });
  });
}

export interface MemberEdit {
  readonly add: readonly number[];
  readonly remove: readonly number[];
}

export async function updateGroupMembers(kernel: Storage, by: User, id: number, edit: MemberEdit): Promise<void> {
  await ensureMayEdit(kernel, by);
  ensure(edit.add.length > 0 || edit.remove.length > 0, nothingToDo());
  await kernel.transaction(async (tx) => {
    const { members } = await lockGroup(tx, by, id);
    if (edit.add.length > 0) {
      const ids = await findMembers(tx, by, edit.add);
      const already = ids.find((each) => members.includes(each));
      ensure(already === undefined, badRequest(`User ${already} is already a member of this group`));
      await groups.addMembers(tx.db, id, ids);
      publish(tx, by, { group_id: id, op: 'add_members', user_ids: ids });
    }
    if (edit.remove.length > 0) {
      const ids = [...new Set(edit.remove)] as UserId[];
      const stranger = ids.find((each) => !members.includes(each));
      ensure(stranger === undefined, badRequest(`There is no member '${stranger}' in this user group`));
      await groups.removeMembers(tx.db, id, ids);
      publish(tx, by, { group_id: id, op: 'remove_members', user_ids: ids });
    }
  });
}

export function publish(tx: Tx, by: User, change: Readonly<Record<string, unknown>>): void {
  tx.deliver(eventDelivery(by.realmId, 'everyone', { type: 'user_group', ...change }));
}
