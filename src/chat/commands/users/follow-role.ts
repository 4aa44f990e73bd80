/** Tells today's clients that somebody has come into groups by role, or has left them. */
import type { Clock } from '../../../kernel/clock';
import type { Tx } from '../../../kernel/mysql/transaction';
import { todayDelivery } from '../../model/events/event';
import { fullMembersUntil } from '../../model/users/full-members';
import { systemGroupsOf } from '../../model/users/system-groups';
import type { User } from '../../model/users/user';
import * as realms from '../../store/organisation/realms';

/** Undefined: who is not active. */
export async function followRole(
  tx: Tx,
  clock: Clock,
  before: User | undefined,
  after: User | undefined,
): Promise<void> {
  const user = (after ?? before)!;
  const until = fullMembersUntil((await realms.byId(tx.db, user.realmId))!, clock.now());
  const [left, entered] = [before, after].map((each) => new Set(each ? systemGroupsOf(each, until) : []));
  const tell = (op: 'add_members' | 'remove_members', ids: readonly number[]): void => {
    for (const group_id of ids) {
      const event = { type: 'user_group', op, group_id, user_ids: [user.id] };
      tx.deliver(todayDelivery(user.realmId, 'everyone', event));
    }
  };
  tell(
    'remove_members',
    [...left!].filter((id) => !entered!.has(id)),
  );
  tell(
    'add_members',
    [...entered!].filter((id) => !left!.has(id)),
  );
}
