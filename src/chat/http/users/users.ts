/** Users, and how administrators manage them. */
import type { Storage } from '../../../kernel/kernel';
import { isPlainlySpelled } from '../../../kernel/secrets/email-key';
import { ensure, Fault } from '../../../kernel/fault';
import { flag, integer, jsonInteger, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { createUser } from '../../commands/users/create-user';
import { deactivateUser, reactivateUser } from '../../commands/users/deactivate-user';
import { rotateKey } from '../../commands/accounts/rotate-key';
import { updateUser } from '../../commands/users/update-user';
import { disguisedEmail, noSuchUser } from '../../model/faults';
import { secondFactorMissing } from '../../model/accounts/two-factor';
import { isEmail, type User } from '../../model/users/user';
import {
  adminsOnly,
  badNameOrUsername,
  invalidRole,
  lastAdminLives,
  lastAdminStays,
  lastOwnerLives,
  lastOwnerStays,
  nameTooShort,
  ownersOnly,
  passwordTooWeak,
  userIsDeactivated,
} from '../../model/users/user-faults';
import { checkFullName, ensureAdmin, ensureMayManage } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import { getProfile, getUserForAdmin, listMembers } from '../../queries/users/users';
import { checkAddress } from '../../queries/organisation/realm-lists';
import { forPeople, NEEDS_FACTOR } from '../wire-format';
import { looseText, profileData, strings } from '../wire-params';
import { DONE } from '../../model/answers/envelope';
import { key, ownUser, usersAnswer } from '../../model/answers/users';
import { addressNotAllowed } from '../../model/organisation/organisation-faults';

const { get, post, patch, del } = routesFor<User>();

export const userRoutes = (chat: Storage & Pick<Chat, 'realms' | 'renderer' | 'vocabularies'>) => [
  get('/users/me', {
    summary: 'Get your own profile',
    answer: ownUser,
    run: ({ kernel, by }) => getProfile(kernel.mysql, by),
  }),
  get('/users', {
    summary: 'Get all users',
    answer: usersAnswer,
    isExpensive: true,
    params: {
      client_avatar: flag.optional(),
      client_gravatar: flag.optional(),
      include_custom_profile_fields: flag.default(false),
      include_roles: flag.default(false).meta({ description: 'With the `role` of each' }),
    },
    run: ({ kernel, by, params }) =>
      listMembers(kernel.mysql, by.realmId, {
        clientAvatar: params.client_avatar ?? params.client_gravatar ?? false,
        withProfiles: params.include_custom_profile_fields,
        withRoles: params.include_roles,
      }),
  }),
  post('/users', {
    summary: 'Create a user; administrators only',
    answer: DONE,
    refuses: [
      adminsOnly(),
      new Fault('invalid', "Email 'ada@example.com' already in use"),
      passwordTooWeak(),
      badNameOrUsername(),
      disguisedEmail(),
      addressNotAllowed('ada@example.org'),
    ],
    params: {
      email: text,
      password: text,
      full_name: text,
      short_name: text.optional(),
      default_stream_groups: strings.default([]),
    },
    async run({ kernel, by, params, incoming }) {
      ensureAdmin(by);
      const fullName = checkFullName(params.full_name);
      ensure(isPlainlySpelled(params.email), disguisedEmail());
      ensure(isEmail(params.email), badNameOrUsername());
      const { email, password, short_name: shortName, default_stream_groups: streamGroups } = params;
      await checkAddress(kernel.mysql, by.realmId, email);
      const names = { email, fullName, ...(shortName === undefined ? {} : { shortName: shortName.slice(0, 100) }) };
      const setBy = { address: incoming.ip, account: String(by.id) };
      const account = { realmId: by.realmId, ...names, password, setBy, role: 'member' } as const;
      await createUser(kernel, { ...account, streamGroups, isWelcomed: true });
    },
  }),
  del('/users/me', {
    summary: 'Deactivate your own account',
    answer: DONE,
    run: forPeople(({ kernel, by }) => deactivateUser(kernel, by)),
  }),
  post('/users/me/api_key/regenerate', {
    summary: 'Generate a new API key for yourself',
    answer: key,
    refuses: [secondFactorMissing()],
    admits: [NEEDS_FACTOR],
    run: forPeople(async ({ kernel, by }) => ({ api_key: await rotateKey(kernel, by) })),
  }),
  patch('/users/:user_id', {
    summary: "Change a user's name, role or profile; administrators only",
    answer: DONE,
    refuses: [
      adminsOnly(),
      ownersOnly(),
      noSuchUser(),
      nameTooShort(),
      invalidRole(),
      lastAdminStays(),
      lastOwnerStays(),
    ],
    params: {
      user_id: integer,
      full_name: looseText.optional(),
      is_admin: flag.optional(),
      is_guest: flag.optional(),
      role: jsonInteger
        .optional()
        .meta({ description: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest' }),
      profile_data: profileData.optional(),
    },
    run: ({ by, params }) =>
      updateUser(chat, by, params.user_id, {
        fullName: params.full_name,
        isAdmin: params.is_admin,
        isGuest: params.is_guest,
        role: params.role,
        profile: params.profile_data,
      }),
  }),
  del('/users/:user_id', {
    summary: 'Deactivate a user; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), noSuchUser(), userIsDeactivated(), lastAdminLives(), ownersOnly(), lastOwnerLives()],
    params: { user_id: integer },
    async run({ kernel, by, params }) {
      const user = await getUserForAdmin(kernel.mysql, by, params.user_id);
      // Bots are deactivated by their own route.
      ensure(user.botType === null, noSuchUser());
      ensure(user.isActive, userIsDeactivated());
      ensureMayManage(by, user);
      await deactivateUser(kernel, user);
    },
  }),
  post('/users/:user_id/reactivate', {
    summary: 'Reactivate a user; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), ownersOnly(), noSuchUser()],
    params: { user_id: integer },
    async run({ kernel, by, params }) {
      const user = await getUserForAdmin(kernel.mysql, by, params.user_id);
      ensureMayManage(by, user);
      await reactivateUser(kernel, user);
    },
  }),
];
