/** Users, their presence and status, and the bots that the user manages. */
import { together } from '../../../../kernel/mysql/read-packet';
import { mayCreateStreams, maySubscribeOthers } from '../../../model/streams/stream-policy';
import { avatarFields, hasDefaultAvatar } from '../../../model/uploads/avatar';
import { CUSTOM_PROFILE_FIELD_TYPES } from '../../../model/users/profile-field';
import { roleNumber } from '../../../model/users/role';
import type { User, UserId } from '../../../model/users/user';
import { botServices, NO_BOT_DEFAULTS, person, type ProfileData, realmBot } from '../../../model/users/user-wire';
import { wireGroup } from '../../../model/users/user-group';
import { wireStatus } from '../../../model/users/user-status';
import * as endpoints from '../../../store/bots/bot-endpoints';
import * as bots from '../../../store/bots/bots';
import * as profiles from '../../../store/users/profile-fields';
import * as people from '../../../store/users/people';
import * as groups from '../../../store/users/user-groups';
import * as statuses from '../../../store/users/user-statuses';
import { presencesOf } from '../../users/list-presences';
import type { StatePart, StateParts, StateView } from './part';

const realmUser: StatePart = async (view) => {
  const [answers, everybody, self] = await Promise.all([
    view.read(profiles.answersRead(view.by.realmId)),
    view.everybody(),
    ownAccount(view),
  ]);
  return { ...listed(everybody, answers, view), ...self };
};

function colleague(user: User, answers: ProfileData | undefined, { request }: StateView): Record<string, unknown> {
  return {
    ...person(user),
    ...(request.filters.computesAvatars && hasDefaultAvatar(user) ? { avatar_url: null } : {}),
    ...(user.botType === null ? { profile_data: answers ?? {} } : {}),
  };
}

/** More than a side bar shows. Conversations have many people, and the list of all comes later. */
const MAX_KNOWN = 500;

/** Ours: what a page needs before it has everybody: the user, and the people of the newest private conversations. */
const knownPeople: StatePart = async (view) => {
  if (view.wanted.has('realm_user')) return {};
  const [conversations, self] = await Promise.all([view.conversations(), ownAccount(view)]);
  const { id: botId } = view.request.systemBot;
  const ids = new Set([view.by.id, ...conversations.flatMap(({ user_ids }) => user_ids)] as UserId[]);
  ids.delete(botId);
  const known = [...ids].slice(0, MAX_KNOWN);
  const { found, answers } = await view.read(
    together({ found: people.byIdsRead(view.by.realmId, known), answers: profiles.answersOfRead(known) }),
  );
  const roles = new Map(found.map((user) => [user.id as number, roleNumber(user)]));
  const { realm_users: those, ...others } = listed(found, answers, view);
  return {
    realm_users: those.map((each) => ({ ...each, role: roles.get(each['user_id'] as number) })),
    ...others,
    ...self,
  };
};

function listed(users: readonly User[], answers: ReadonlyMap<UserId, ProfileData>, view: StateView) {
  const those = (isActive: boolean) =>
    users.filter((user) => user.isActive === isActive).map((user) => colleague(user, answers.get(user.id), view));
  return {
    realm_users: those(true),
    realm_non_active_users: those(false),
    cross_realm_bots: [systemBot(view.request.systemBot)],
  };
}

/** Not a member, but clients show its messages. */
function systemBot(bot: User): Record<string, unknown> {
  const { is_guest: _, bot_type: __, bot_owner_id: ___, ...shown } = person(bot);
  return shown;
}

async function ownAccount({ kernel, ...view }: StateView): Promise<Record<string, unknown>> {
  const now = kernel.clock.now();
  const [by, { settings }, { own }] = await Promise.all([view.self(), view.realm(), view.settings()]);
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
    enter_sends: own['enter_sends'],
    send_read_receipts: own['send_read_receipts'],
  };
}

const realmBots: StatePart = async ({ kernel, read, ...view }) => {
  const [by, everybody] = await Promise.all([view.self(), view.everybody()]);
  if (by.botType !== null) return { realm_bots: [] };
  const isMine = ({ botOwnerId }: User) => by.role === 'admin' || botOwnerId === by.id;
  const found = everybody.filter((user) => user.botType !== null && user.isActive && isMine(user));
  const ids = found.map(({ id }) => id);
  const { defaults, sealed, reached } = await read(
    together({
      defaults: bots.defaultsRead(ids),
      // Reads the keys together with the right to them.
      sealed: bots.sealedKeysRead(by.id, ids),
      reached: endpoints.listRead(kernel.secrets, ids),
    }),
  );
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

/** Who is away, and what people say of themselves, by user id. */
const userStatus: StatePart = async ({ read, by }) => {
  const found = await read(statuses.listRead(by.realmId));
  return { user_status: Object.fromEntries([...found].map(([id, status]) => [id, wireStatus(status)])) };
};

export const presencesIn = async ({ kernel, read, by, ...view }: StateView) => {
  const [realm, everybody, hidden] = await Promise.all([
    view.realm(),
    view.everybody(),
    read(people.invisibleRead(by.realmId)),
  ]);
  const known = everybody.filter(({ id }) => !hidden.has(id));
  return presencesOf(kernel, realm, { known, isSlim: view.request.hasSlimPresence === true });
};

export const peopleParts: StateParts = {
  custom_profile_fields: async ({ read, by }) => ({
    custom_profile_fields: await read(profiles.listRead(by.realmId)),
    custom_profile_field_types: CUSTOM_PROFILE_FIELD_TYPES,
  }),
  known_people: knownPeople,
  presence: async (view) => ({ presences: (await presencesIn(view)).presences }),
  realm_bot: realmBots,
  realm_user: realmUser,
  realm_user_groups: async ({ read, by }) => ({
    realm_user_groups: (await read(groups.listRead(by.realmId))).map(wireGroup),
  }),
  user_status: userStatus,
};
