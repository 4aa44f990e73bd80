/** The presence of an organisation's users in the last two weeks, and when they were last active. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Keyspace } from '../../../kernel/redis/connections';
import { presence } from '../../actors/presence/presence';
import { noSuchUser } from '../../model/faults';
import { type Realm, type RealmId, realmTenant } from '../../model/organisation/realm';
import { briefPresence, type Report, slimPresence, wirePresence } from '../../model/users/presence';
import type { User, UserId } from '../../model/users/user';
import { noPresence, noPresenceOfBots } from '../../model/users/user-faults';
import type { Chat } from '../../parts';
import * as users from '../../store/users/users';

/** By email address, as clients of 2.1 expect, or slim, by id. Empty if the organisation has disabled presence. */
export async function presencesOf(
  kernel: Keyspace,
  { id: realmId, settings }: Pick<Realm, 'id' | 'settings'>,
  { known, isSlim }: { readonly known: readonly User[]; readonly isSlim: boolean },
): Promise<Record<string, unknown>> {
  if (settings.presence_disabled) return {};
  const seen = await presence.at(realmTenant(realmId)).request(kernel, 'read', null);
  return Object.fromEntries(
    known
      .filter(({ id, isActive, botType }) => isActive && botType === null && seen.has(id))
      .map(({ id, email }) => (isSlim ? [id, slimPresence(seen.get(id)!)] : [email, wirePresence(seen.get(id)!)])),
  );
}

export async function presenceAnswer(
  chat: Keyspace & Pick<Chat, 'clock' | 'presencePeople'>,
  realmId: RealmId,
  isSlim = false,
): Promise<Record<string, unknown>> {
  const { isOff, emails } = await chat.presencePeople.find(realmId);
  const presences: Record<string, unknown> = {};
  if (!isOff) {
    const seen = await presence.at(realmTenant(realmId)).request(chat, 'read', null);
    for (const [id, clients] of seen) {
      const email = emails.get(id);
      if (email === undefined) continue;
      if (isSlim) presences[id] = slimPresence(clients);
      else presences[email] = wirePresence(clients);
    }
  }
  return { presences, server_timestamp: chat.clock.now().getTime() / 1000 };
}

/** Presence of one user, by email address. */
export async function getPresence(
  kernel: Storage & Keyspace,
  by: User,
  email: string,
): Promise<Record<string, unknown>> {
  const user = await users.byEmail(kernel.mysql, by.realmId, email);
  ensure(user !== undefined && user.isActive, noSuchUser());
  ensure(user.botType === null, noPresenceOfBots());
  const seen = await presence.at(realmTenant(by.realmId)).request(kernel, 'read', user.id);
  const clients = seen.get(user.id);
  ensure(clients !== undefined, noPresence(user.email));
  return { presence: briefPresence(clients, kernel.clock.now().getTime() / 1000) };
}

/** Beyond this number, one call reads the presence of everyone. */
const FEW = 20;

/** When users were last active in any client, in Unix seconds. Users without a recent report are missing. */
export async function lastActive(
  parts: Keyspace,
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
