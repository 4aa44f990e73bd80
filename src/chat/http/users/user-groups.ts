/** User groups, and the organisation's custom profile fields. */
import { z } from 'zod';
import { flag, integer, jsonField, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import {
  createProfileField,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from '../../commands/users/edit-profile-fields';
import {
  createUserGroup,
  removeUserGroup,
  updateGroupMembers,
  updateUserGroup,
} from '../../commands/users/edit-user-groups';
import { updateSubgroups } from '../../commands/users/nest-user-groups';
import { profileOf, requestProfile } from '../../model/profiles/profiles';
import type { User } from '../../model/users/user';
import { alreadySubgroup, groupWithinItself, noSuchSubgroup, notASubgroup } from '../../model/users/user-faults';
import { listGroupMembers, listUserGroups } from '../../queries/users/list-user-groups';
import { listProfileFields } from '../../queries/users/users';
import { integers } from '../wire-params';
import { DONE } from '../../model/answers/envelope';
import {
  created,
  groupMembersAnswer,
  profileFieldsAnswer,
  userGroupAnswer,
  userGroupsAnswer,
} from '../../model/answers/users';

const { get, post, patch, del } = routesFor<User>();

const field = {
  name: text.default(''),
  hint: text.default(''),
  field_data: jsonField(z.record(z.string(), z.unknown())).default({}),
};

export const userGroupRoutes = [
  get('/user_groups', {
    summary: 'Get all user groups',
    answer: userGroupsAnswer,
    params: {
      include_deactivated_groups: flag
        .optional()
        .meta({ description: 'A client that names it gets the groups by role, too. No group is ever deactivated' }),
    },
    run: async ({ kernel, by, params: { include_deactivated_groups: newer } }) => ({
      user_groups: await listUserGroups(kernel, by, profileOf(requestProfile(newer))),
    }),
  }),
  post('/user_groups/create', {
    summary: 'Create a user group',
    answer: DONE,
    params: { name: text, description: text, members: integers.default([]) },
    run: ({ kernel, by, params }) => createUserGroup(kernel, by, params),
  }),
  patch('/user_groups/:group_id', {
    summary: 'Change the name or description of a user group',
    answer: userGroupAnswer,
    params: { group_id: integer, name: text.default(''), description: text.default('') },
    run: ({ kernel, by, params }) => updateUserGroup(kernel, by, params.group_id, params),
  }),
  del('/user_groups/:group_id', {
    summary: 'Remove a user group',
    answer: DONE,
    params: { group_id: integer },
    run: ({ kernel, by, params }) => removeUserGroup(kernel, by, params.group_id),
  }),
  post('/user_groups/:group_id/members', {
    summary: 'Add or remove members of a user group',
    answer: DONE,
    params: { group_id: integer, add: integers.default([]), delete: integers.default([]) },
    run: ({ kernel, by, params }) =>
      updateGroupMembers(kernel, by, params.group_id, { add: params.add, remove: params.delete }),
  }),
  get('/user_groups/:group_id/members', {
    summary: 'Get the ids of the members of a user group',
    answer: groupMembersAnswer,
    params: { group_id: integer, direct_member_only: flag.default(false) },
    run: async ({ kernel, by, params }) => ({
      members: [...(await listGroupMembers(kernel, by, params.group_id, params.direct_member_only))],
    }),
  }),
  post('/user_groups/:group_id/subgroups', {
    summary: 'Put user groups into a user group, or take them out',
    answer: DONE,
    refuses: [noSuchSubgroup(99), alreadySubgroup(99), notASubgroup(99), groupWithinItself(99)],
    params: { group_id: integer, add: integers.default([]), delete: integers.default([]) },
    run: ({ kernel, by, params }) =>
      updateSubgroups(kernel, by, params.group_id, { add: params.add, remove: params.delete }),
  }),
  get('/realm/profile_fields', {
    summary: 'Get the custom profile fields',
    answer: profileFieldsAnswer,
    run: async ({ kernel, by }) => ({ custom_fields: await listProfileFields(kernel.mysql, by.realmId) }),
  }),
  post('/realm/profile_fields', {
    summary: 'Add a custom profile field; administrators only',
    answer: created,
    params: { ...field, field_type: integer },
    run: ({ kernel, by, params: { name, hint, field_data: data, field_type: type } }) =>
      createProfileField(kernel.transaction, by, { name, hint, data, type }),
  }),
  patch('/realm/profile_fields', {
    summary: 'Reorder the custom profile fields; administrators only',
    answer: DONE,
    params: { order: integers },
    run: ({ kernel, by, params }) => reorderProfileFields(kernel.transaction, by, params.order),
  }),
  patch('/realm/profile_fields/:field_id', {
    summary: 'Change a custom profile field; administrators only',
    answer: DONE,
    params: { ...field, field_id: integer },
    run: ({ kernel, by, params: { field_id: id, name, hint, field_data: data } }) =>
      updateProfileField(kernel.transaction, by, id, { name, hint, data }),
  }),
  del('/realm/profile_fields/:field_id', {
    summary: 'Remove a custom profile field; administrators only',
    answer: DONE,
    params: { field_id: integer },
    run: ({ kernel, by, params }) => removeProfileField(kernel.transaction, by, params.field_id),
  }),
];
