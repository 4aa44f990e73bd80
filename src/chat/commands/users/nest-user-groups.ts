/** Puts user groups into others, and takes them out. Whoever mentions a group reaches the members of all groups in it. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { User } from '../../model/users/user';
import {
  alreadySubgroup,
  groupWithinItself,
  noSuchSubgroup,
  notASubgroup,
  nothingToDo,
} from '../../model/users/user-faults';
import * as realms from '../../store/organisation/realms';
import * as groups from '../../store/users/user-groups';
import { ensureMayEdit, lockGroup, type MemberEdit, publish } from './edit-user-groups';

export async function updateSubgroups(kernel: Storage, by: User, id: number, edit: MemberEdit): Promise<void> {
  await ensureMayEdit(kernel, by);
  ensure(edit.add.length > 0 || edit.remove.length > 0, nothingToDo());
  await kernel.transaction(async (tx) => {
    // Two changes that are each harmless could close a circle together.
    await realms.lock(tx.db, by.realmId);
    const { subgroups } = await lockGroup(tx, by, id);
    const added = [...new Set(edit.add)];
    if (added.length > 0) {
      const known = await groups.existing(tx.db, by.realmId, added);
      for (const each of added) {
        ensure(known.has(each), noSuchSubgroup(each));
        ensure(!subgroups.includes(each), alreadySubgroup(each));
        ensure(!(await groups.idsWithin(tx.db, each)).has(id), groupWithinItself(each));
      }
      await groups.addSubgroups(tx.db, id, added);
      publish(tx, by, { group_id: id, op: 'add_subgroups', direct_subgroup_ids: added });
    }
    const removed = [...new Set(edit.remove)];
    if (removed.length > 0) {
      for (const each of removed) ensure(subgroups.includes(each), notASubgroup(each));
      await groups.removeSubgroups(tx.db, id, removed);
      publish(tx, by, { group_id: id, op: 'remove_subgroups', direct_subgroup_ids: removed });
    }
  });
}
