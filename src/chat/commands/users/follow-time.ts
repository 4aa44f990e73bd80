/** Tells today's clients who has become a full member, by time or because the organisation changed how long that takes. */
import type { Storage } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import { todayDelivery } from '../../model/events/event';
import type { Realm } from '../../model/organisation/realm';
import type { RealmSettings } from '../../model/organisation/realm-settings';
import { fullMembersAt, fullMembersUntil } from '../../model/users/full-members';
import { SYSTEM_GROUPS } from '../../model/users/system-groups';
import * as fullMembers from '../../store/users/full-members';
import * as realms from '../../store/organisation/realms';

const REALMS_AT_ONCE = 500;
/** Of one event. */
const PEOPLE_AT_ONCE = 1000;

export async function followTime(kernel: Storage, signal: AbortSignal): Promise<void> {
  for (let after = 0; !signal.aborted;) {
    const some = await fullMembers.waitingRealmsAfter(kernel.mysql, after, REALMS_AT_ONCE);
    for (const { id } of some) if (!signal.aborted) await followIn(kernel, id);
    if (some.length < REALMS_AT_ONCE) return;
    after = some.at(-1)!.id;
  }
}

async function followIn({ mysql, transaction, clock }: Storage, id: Realm['id']): Promise<void> {
  const now = clock.now();
  const known = await realms.byId(mysql, id);
  if (!known || !(await fullMembers.hasJoinedBetween(mysql, id, rangeOf(known, known.settings, now)))) return;
  await transaction(async (tx) => {
    const realm = await realms.lock(tx.db, id);
    if (realm) await moveFullMembers(tx, realm, realm.settings, now);
  });
}

const rangeOf = (realm: Realm, settings: RealmSettings, now: Date): readonly [Date, Date] => [
  fullMembersUntil(realm, now),
  fullMembersAt(settings, now),
];

/** The organisation is locked, and will have these settings. */
export async function moveFullMembers(tx: Tx, realm: Realm, settings: RealmSettings, now: Date): Promise<void> {
  const [before, after] = rangeOf(realm, settings, now);
  await fullMembers.setUntil(tx.db, realm.id, settings.waiting_period_threshold === 0 ? null : after);
  if (before.getTime() === after.getTime()) return;
  const isLater = after > before;
  const crossed = await fullMembers.lockJoinedBetween(tx.db, realm.id, isLater ? [before, after] : [after, before]);
  const op = isLater ? 'add_members' : 'remove_members';
  for (let from = 0; from < crossed.length; from += PEOPLE_AT_ONCE) {
    const user_ids = crossed.slice(from, from + PEOPLE_AT_ONCE);
    tx.deliver(
      todayDelivery(realm.id, 'everyone', { type: 'user_group', op, group_id: SYSTEM_GROUPS.fullMembers, user_ids }),
    );
  }
}
