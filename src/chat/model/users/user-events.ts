/** Events about users and bots. */
import type { Delivery } from '../../../kernel/mysql/outbox';
import type { Audience } from '../events/audience';
import { eventDelivery, type ChatFields } from '../events/event';
import type { RealmId } from '../organisation/realm';
import { todayPerson } from '../profiles/today-shapes';
import type { User, UserId } from './user';
import { person, realmBot, type BotDefaults } from './user-wire';

export const userAdded = (user: User): Delivery =>
  eventDelivery(
    user.realmId,
    'everyone',
    {
      type: 'realm_user',
      op: 'add',
      person: { ...person(user), ...(user.botType === null ? { profile_data: {} } : {}) },
    },
    { person: todayPerson(user) },
  );

const briefly = ({ email, id, fullName }: User) => ({ email, user_id: id, full_name: fullName });

export const userRemoved = (user: User): Delivery =>
  eventDelivery(user.realmId, 'everyone', { type: 'realm_user', op: 'remove', person: briefly(user) });

/** One group of related changes. */
export const userChanged = (user: User, change: ChatFields, today?: ChatFields): Delivery =>
  eventDelivery(
    user.realmId,
    'everyone',
    { type: 'realm_user', op: 'update', person: { user_id: user.id, email: user.email, ...change } },
    today && { person: today },
  );

/** The bot's owner and the administrators, none of them bots. */
export interface BotAudience {
  readonly ids: readonly UserId[];
  readonly ownerId: UserId | null;
  readonly owner: string | null;
}

const audienceOf = ({ ids, ownerId }: BotAudience): Audience => ({
  ids,
  role: 'admin',
  entitled: ownerId === null ? [] : [ownerId],
});

/** The key is null here and in the log. The delivering node fills it in (commands/bots/fill-bot-keys.ts). */
export const botAdded = (bot: User, defaults: BotDefaults, audience: BotAudience): Delivery =>
  eventDelivery(bot.realmId, audienceOf(audience), {
    type: 'realm_bot',
    op: 'add',
    bot: realmBot(bot, defaults, audience.owner),
  });

export const botChanged = (bot: User, change: Readonly<Record<string, unknown>>, audience: BotAudience): Delivery =>
  eventDelivery(bot.realmId, audienceOf(audience), {
    type: 'realm_bot',
    op: 'update',
    bot: { email: bot.email, user_id: bot.id, ...change },
  });

export const botRemoved = (bot: User, audience: BotAudience): Delivery =>
  eventDelivery(bot.realmId, audienceOf(audience), { type: 'realm_bot', op: 'remove', bot: briefly(bot) });

/** The type of an entry that no queue receives: nodes drop the user from their caches and end their polls. */
export const REVOCATION = 'revocation';

export const accessChanged = (realmId: RealmId, userId: UserId): Delivery =>
  eventDelivery(realmId, [], { type: REVOCATION, user_id: userId });

/** The same for all users of an organisation. */
export const everybodyLockedOut = (realmId: RealmId): Delivery =>
  eventDelivery(realmId, [], { type: REVOCATION, everybody: true });

/** Events after which cached users are outdated. */
export const CHANGES_OF_USERS: ReadonlySet<string> = new Set([REVOCATION, 'realm_user']);

/** The user that such an event is about. */
export function changedUser(payload: string): UserId | 'everybody' {
  const event = JSON.parse(payload) as { user_id: UserId; person?: { user_id: UserId }; everybody?: true };
  return event.everybody ? 'everybody' : (event.person?.user_id ?? event.user_id);
}
