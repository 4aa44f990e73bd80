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
import { settingOf } from '../../model/users/user-settings';
import type { Chat } from '../../parts';
import * as userSettings from '../../store/users/user-settings';
import * as users from '../../store/users/users';

export interface Presences {
  readonly presences: Record<string, unknown>;
  /** For clients that ask only for what came later. It is a time, so no count has to be kept. */
  readonly lastUpdate: number;
}

interface Asked {
  /** By id, as today's clients expect; otherwise by email address. */
  readonly isSlim: boolean;
  /** Only people who were there at that time or later: others may have reported in the same second. */
  readonly since?: number | undefined;
}

const NEVER = -1;
const NOBODY: Presences = { presences: {}, lastUpdate: NEVER };

/** Nobody if the organisation has disabled presence. */
export async function presencesOf(
  kernel: Keyspace,
  { id, settings }: Pick<Realm, 'id' | 'settings'>,
  { known, ...asked }: Asked & { readonly known: readonly User[] },
): Promise<Presences> {
  if (settings.presence_disabled) return NOBODY;
  const people = known.filter(({ isActive, botType }) => isActive && botType === null);
  return readPresences(kernel, id, new Map(people.map((user) => [user.id, user.email])), asked);
}

async function readPresences(
  kernel: Keyspace,
  realmId: RealmId,
  emails: ReadonlyMap<UserId, string>,
  { isSlim, since = NEVER }: Asked,
): Promise<Presences> {
  const presences: Record<string, unknown> = {};
  let lastUpdate = since;
  for (const [id, clients] of await presence.at(realmTenant(realmId)).request(kernel, 'read', null)) {
    const email = emails.get(id);
    const last = slimPresence(clients).idle_timestamp;
    if (email === undefined || last < since) continue;
    lastUpdate = Math.max(lastUpdate, last);
    if (isSlim) presences[id] = slimPresence(clients);
    else presences[email] = wirePresence(clients);
  }
  return { presences, lastUpdate };
}

export async function presenceAnswer(
  chat: Keyspace & Pick<Chat, 'clock' | 'presencePeople'>,
  realmId: RealmId,
  asked: Asked = { isSlim: false },
): Promise<Record<string, unknown>> {
  const { isOff, emails } = await chat.presencePeople.find(realmId);
  const { presences, lastUpdate } = isOff ? NOBODY : await readPresences(chat, realmId, emails, asked);
  const update = asked.isSlim ? { presence_last_update_id: lastUpdate } : {};
  return { presences, ...update, server_timestamp: chat.clock.now().getTime() / 1000 };
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
  const isShown = settingOf(await userSettings.ofUser(kernel.mysql, user.id), 'presence_enabled') === true;
  const seen = await presence.at(realmTenant(by.realmId)).request(kernel, 'read', user.id);
  const clients = seen.get(user.id);
  ensure(isShown && clients !== undefined, noPresence(user.email));
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
