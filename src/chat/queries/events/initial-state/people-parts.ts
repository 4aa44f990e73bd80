/** Users, their presence and status, and the bots that the user manages. */
import { mayCreateStreams, maySubscribeOthers } from '../../../model/streams/stream-policy';
import { avatarFields, hasDefaultAvatar } from '../../../model/uploads/avatar';
import { CUSTOM_PROFILE_FIELD_TYPES } from '../../../model/users/profile-field';
import type { User } from '../../../model/users/user';
import { botServices, NO_BOT_DEFAULTS, person, type ProfileData, realmBot } from '../../../model/users/user-wire';
import * as endpoints from '../../../store/bots/bot-endpoints';
import * as bots from '../../../store/bots/bots';
import * as profiles from '../../../store/users/profile-fields';
import * as statuses from '../../../store/users/user-statuses';
import { listPresences } from '../../users/list-presences';
import { listProfileFields, listUserGroups } from '../../users/users';
import type { StatePart, StateParts, StateView } from './part';

const realmUser: StatePart = async (view) => {
  const answers = await profiles.answers(view.db, view.by.realmId);
  const everybody = await view.everybody();
  const listed = (isActive: boolean) =>
    everybody.filter((user) => user.isActive === isActive).map((user) => colleague(user, answers.get(user.id), view));
  return {
    realm_users: listed(true),
    realm_non_active_users: listed(false),
    cross_realm_bots: [systemBot(view.request.systemBot)],
    ...(await own(view)),
  };
};

function colleague(user: User, answers: ProfileData | undefined, { request }: StateView): Record<string, unknown> {
  return {
    ...person(user),
    ...(request.filters.computesAvatars && hasDefaultAvatar(user) ? { avatar_url: null } : {}),
    ...(user.botType === null ? { profile_data: answers ?? {} } : {}),
  };
}

/** Not a member, but clients show its messages. */
function systemBot(bot: User): Record<string, unknown> {
  const { is_guest: _, bot_type: __, bot_owner_id: ___, ...shown } = person(bot);
  return shown;
}

async function own({ kernel, by, ...view }: StateView): Promise<Record<string, unknown>> {
  const now = kernel.clock.now();
  const { settings } = await view.realm();
  return {
    user_id: by.id,
    email: by.email,
    delivery_email: by.email,
    full_name: by.fullName,
    is_admin: by.role === 'admin',
    is_guest: by.role === 'guest',
    ...avatarFields(by),
    can_create_streams: mayCreateStreams(by, settings, now),
    can_subscribe_other_users: maySubscribeOthers(by, settings, now),
    enter_sends: (await view.settings()).entersSend,
  };
}

const realmBots: StatePart = async ({ kernel, db, by, ...view }) => {
  if (by.botType !== null) return { realm_bots: [] };
  const everybody = await view.everybody();
  const isMine = ({ botOwnerId }: User) => by.role === 'admin' || botOwnerId === by.id;
  const found = everybody.filter((user) => user.botType !== null && user.isActive && isMine(user));
  const ids = found.map(({ id }) => id);
  const defaults = await bots.defaults(db, ids);
  // The requester may have lost a bot or the role meanwhile, so the key is read together with the right to it.
  const sealed = await bots.sealedKeys(db, by.id, ids);
  const reached = await endpoints.list(db, kernel.secrets, [...sealed.keys()]);
  const emails = new Map(everybody.map(({ id, email }) => [id, email]));
  return {
    realm_bots: found
      .filter(({ id }) => sealed.has(id))
      .map((bot) => ({
        ...realmBot(bot, defaults.get(bot.id) ?? NO_BOT_DEFAULTS, emails.get(bot.botOwnerId!) ?? null),
        api_key: kernel.secrets.decrypt(sealed.get(bot.id)!),
        services: botServices(reached.get(bot.id)),
      })),
  };
};

/** Who is away, and the texts of statuses, by user id. */
const userStatus: StatePart = async ({ db, by }) => {
  const found = await statuses.list(db, by.realmId);
  const wire = [...found].map(([id, { isAway, text }]) => [
    id,
    { ...(isAway ? { away: true } : {}), ...(text === '' ? {} : { status_text: text }) },
  ]);
  return { user_status: Object.fromEntries(wire) };
};

export const peopleParts: StateParts = {
  custom_profile_fields: async ({ db, by }) => ({
    custom_profile_fields: await listProfileFields(db, by.realmId),
    custom_profile_field_types: CUSTOM_PROFILE_FIELD_TYPES,
  }),
  presence: async ({ kernel, db, by }) => ({ presences: await listPresences(kernel, by.realmId, db) }),
  realm_bot: realmBots,
  realm_user: realmUser,
  realm_user_groups: async ({ db, by }) => ({ realm_user_groups: await listUserGroups(db, by.realmId) }),
  user_status: userStatus,
};
