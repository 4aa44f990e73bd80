/** Rows of the access table: what everybody knows of their organisation, and what only some may change. */

export const OF_ORGANISATION = [
  'GET /api/v1/realm/profile_fields',
  'GET /api/v1/channel_folders',
  'GET /api/v1/realm/domains',
  'GET /api/v1/realm/emoji',
  'GET /api/v1/realm/filters',
  'GET /api/v1/realm/linkifiers',
];

/** Of groups that the caller is not in. */
export const GROUP_CHANGES = [
  'POST /api/v1/user_groups/{group_id}/members',
  'POST /api/v1/user_groups/{group_id}/subgroups',
  'PATCH /api/v1/user_groups/{group_id}',
  'DELETE /api/v1/user_groups/{group_id}',
] as const;

/** How people sign in, and the keys of bots. */
export const FOR_ADMINS = [
  'GET /web/sign-in-rules',
  'PATCH /web/sign-in-rules',
  'GET /web/openid-providers',
  'PUT /web/openid-providers/{provider}',
  'DELETE /web/openid-providers/{provider}',
  'DELETE /web/users/{user_id}/two-factor',
  'GET /api/v1/bots/{bot_id}/zuliprc',
  'GET /api/v1/bots/{bot_id}/signature',
  'PUT /api/v1/bots/{bot_id}/signature',
  'DELETE /api/v1/bots/{bot_id}/signature',
] as const;
