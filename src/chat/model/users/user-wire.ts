/** Users and bots in the wire format, for responses and events. */
import type { Wire } from '../../../kernel/text/wire';
import type * as bots from '../answers/bots';
import type * as users from '../answers/users';
import type { Endpoint } from '../bots/outgoing-webhook';
import { avatarOf, hasDefaultAvatar } from '../uploads/avatar';
import { roleNumber } from './role';
import { OUTGOING_WEBHOOK, type User, type UserId } from './user';

export type ProfileData = Wire<typeof users.profileData>;
export type ProfileValue = ProfileData[string];

/** ISO 8601 with an offset, as the specification requires. */
export const wireTime = (time: Date): string => time.toISOString().replace('Z', '+00:00');

/** The public data of a user. */
export function person(user: User): users.RealmUser {
  const owner = user.botType === null ? {} : { bot_type: user.botType, bot_owner_id: user.botOwnerId };
  return {
    email: user.email,
    user_id: user.id,
    avatar_url: avatarOf(user),
    is_admin: user.role === 'admin',
    is_guest: user.role === 'guest',
    is_bot: user.botType !== null,
    full_name: user.fullName,
    timezone: user.timezone,
    date_joined: wireTime(user.joinedAt),
    ...owner,
  };
}

/** As a user sees their own account. */
export function profile(user: User, maxMessageId: number): Wire<typeof users.ownUser> {
  return {
    user_id: user.id,
    email: user.email,
    full_name: user.fullName,
    short_name: user.shortName,
    avatar_url: avatarOf(user),
    client_id: String(user.id),
    is_admin: user.role === 'admin',
    is_guest: user.role === 'guest',
    is_bot: user.botType !== null,
    is_active: user.isActive,
    timezone: user.timezone,
    date_joined: wireTime(user.joinedAt),
    pointer: user.pointer,
    max_message_id: maxMessageId,
    profile_data: {},
  };
}

export interface MemberView {
  /** The client computes default avatars itself. */
  readonly clientAvatar: boolean;
  readonly emailOf: (id: UserId) => string | null;
  readonly withRoles?: boolean;
  /** Left out unless requested. */
  readonly profiles?: ReadonlyMap<UserId, ProfileData>;
}

/** An element of `members`. */
export function member(user: User, view: MemberView): Wire<typeof users.user> {
  const isBot = user.botType !== null;
  return {
    ...person(user),
    is_active: user.isActive,
    bot_type: user.botType,
    ...(isBot ? { bot_owner: user.botOwnerId === null ? null : view.emailOf(user.botOwnerId) } : {}),
    ...(view.clientAvatar && hasDefaultAvatar(user) ? { avatar_url: null } : {}),
    ...(view.withRoles ? { role: roleNumber(user) } : {}),
    ...(view.profiles && !isBot ? { profile_data: view.profiles.get(user.id) ?? {} } : {}),
  };
}

/** Where a bot posts and which streams it receives by default; by stream name. */
export interface BotDefaults {
  readonly sendingStream: string | null;
  readonly eventsStream: string | null;
  readonly isAllPublic: boolean;
}
export const NO_BOT_DEFAULTS: BotDefaults = { sendingStream: null, eventsStream: null, isAllPublic: false };

export const botDefaults = (defaults: BotDefaults): Wire<typeof bots.botDefaults> => ({
  default_sending_stream: defaults.sendingStream,
  default_events_register_stream: defaults.eventsStream,
  default_all_public_streams: defaults.isAllPublic,
});

export type BotServices = Wire<typeof bots.realmBot>['services'];

export const botServices = (endpoint: Endpoint | undefined): BotServices =>
  endpoint ? [{ base_url: endpoint.url, interface: endpoint.interface, token: endpoint.token }] : [];

type RealmBot = Omit<Wire<typeof bots.realmBot>, 'services'>;

/** A bot as its owner and administrators see it, without its key and services, which never go into a log. */
export function realmBot(
  bot: User,
  defaults: BotDefaults,
  owner: string | null,
): RealmBot & { readonly services: BotServices | null } {
  return {
    email: bot.email,
    user_id: bot.id,
    full_name: bot.fullName,
    bot_type: bot.botType,
    is_active: bot.isActive,
    api_key: null,
    ...botDefaults(defaults),
    avatar_url: avatarOf(bot),
    services: bot.botType === OUTGOING_WEBHOOK ? null : [],
    ...(owner === null ? {} : { owner }),
  };
}
