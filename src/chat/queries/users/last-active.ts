/** When users were last active in any client, in Unix seconds. Users without a recent report are missing. */
import type { ScriptParts } from '../../../kernel/actor/actor';
import { presence } from '../../actors/presence/presence';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import type { Report } from '../../model/users/presence';
import type { UserId } from '../../model/users/user';

/** Beyond this number, one call reads the presence of everyone. */
const FEW = 20;

export async function lastActive(
  parts: ScriptParts,
  realmId: RealmId,
  userIds: readonly UserId[],
): Promise<Map<UserId, number>> {
  const people = presence.at(realmTenant(realmId));
  const requested: readonly (UserId | null)[] = userIds.length > FEW ? [null] : userIds;
  const found = new Map<UserId, number>();
  for (const each of requested) {
    for (const [userId, clients] of await people.request(parts, 'read', each))
      found.set(userId, newest(Object.values(clients)));
  }
  return found;
}

const newest = (reports: readonly Report[]): number =>
  reports.reduce((last, { status, timestamp }) => (status === 'active' ? Math.max(last, timestamp) : last), 0);
