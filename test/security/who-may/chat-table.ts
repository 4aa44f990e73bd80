/**
 * Who may do what in chat with things that are somebody else's: every route is here, or the suite fails.
 *
 * A row names who is let do it where the stream is public, who where it is the victim's own private stream, and the
 * requests (see chat-asks.ts; a number tells several requests of one route apart). Nobody, strangers, deactivated accounts
 * and other organisations are let do none of it: a test of its own walks every route as each of them.
 */

export interface Row {
  readonly where: { readonly public: string; readonly private: string };
  readonly requests: readonly string[];
}

export const WHO_MAY: readonly Row[] = [
  {
    where: { public: 'guest member bot former admin', private: 'guest member bot former admin' },
    requests: [
      'GET /api/v1/messages (2)',
      'GET /api/v1/messages (3)',
      'GET /api/v1/messages (4)',
      'GET /api/v1/messages (5)',
      'GET /api/v1/messages (6)',
      'GET /api/v1/messages/matches_narrow',
      'GET /api/v1/users/{email}/presence',
      'GET /user_avatars/{realm_id}/emoji/images/{file}',
      'GET /api/v1/streams',
      'GET /api/v1/users/me/subscriptions',
      'GET /api/v1/users/me/pointer',
      'GET /api/v1/users/me/alert_words',
      'GET /api/v1/users/me',
      'GET /api/v1/users',
      'GET /api/v1/user_groups',
      'GET /api/v1/realm/profile_fields',
      'GET /api/v1/realm/emoji',
      'GET /api/v1/realm/filters',
      'GET /api/v1/bot_storage',
      'GET /api/v1/attachments',
      'GET /avatar/{who}',
      'GET /avatar/{who}/medium',
      'POST /api/v1/messages (3)',
      'POST /api/v1/messages (4)',
      'POST /api/v1/messages/render (1)',
      'POST /api/v1/messages/render (2)',
      'POST /api/v1/typing (1)',
      'POST /api/v1/typing (2)',
      'POST /api/v1/register (1)',
      'POST /api/v1/register (2)',
      'POST /api/v1/mark_all_as_read',
      'POST /api/v1/users/me/status',
      'POST /api/v1/users/me/alert_words',
      'POST /api/v1/users/me/apns_device_token',
      'POST /api/v1/users/me/android_gcm_reg_id',
      'POST /api/v1/user_uploads',
      'PUT /api/v1/bot_storage',
      'DELETE /api/v1/users/me/alert_words',
      'DELETE /api/v1/users/me/apns_device_token',
      'DELETE /api/v1/users/me/android_gcm_reg_id',
      'DELETE /api/v1/bot_storage',
    ],
  },
  {
    where: { public: 'guest member former admin', private: 'guest member former admin' },
    requests: [
      'GET /api/v1/realm/presence',
      'POST /api/v1/users/me/enter-sends',
      'POST /api/v1/users/me/presence',
      'PATCH /api/v1/users/me/profile_data',
      'PATCH /api/v1/settings',
      'PATCH /api/v1/settings/display',
      'PATCH /api/v1/settings/notifications',
      'DELETE /api/v1/users/me/profile_data',
      'POST /api/v1/users/me/api_key/regenerate',
      'DELETE /api/v1/users/me',
    ],
  },
  {
    where: { public: 'member bot former admin', private: 'member bot former admin' },
    requests: ['POST /api/v1/users/me/subscriptions (1)'],
  },
  {
    where: { public: 'member former admin', private: 'member former admin' },
    requests: ['GET /api/v1/bots', 'POST /api/v1/user_groups/create', 'POST /api/v1/realm/emoji/{emoji_name}'],
  },
  {
    where: { public: 'member bot former admin', private: 'former admin' },
    requests: [
      'GET /api/v1/messages (1)',
      'PATCH /api/v1/users/me/subscriptions',
      'DELETE /api/v1/users/me/subscriptions (1)',
    ],
  },
  {
    where: { public: 'member bot former admin', private: 'former' },
    requests: [
      'GET /api/v1/messages/{message_id}',
      'GET /api/v1/messages/{message_id}/history',
      'GET /user_uploads/{realm_id}/{shelf}/{token}/{name}',
      'POST /api/v1/messages/flags (1)',
      'POST /api/v1/messages/{message_id}/reactions',
      'POST /api/v1/users/me/pointer',
      'PUT /api/v1/users/me/pointer',
      'DELETE /api/v1/messages/{message_id}/reactions',
    ],
  },
  {
    where: { public: 'member bot former admin', private: 'admin' },
    requests: ['GET /api/v1/streams/{stream_id}/members'],
  },
  {
    where: { public: 'member bot former admin', private: '' },
    requests: [
      'GET /api/v1/get_stream_id',
      'GET /api/v1/users/me/{stream_id}/topics',
      'POST /api/v1/messages (1)',
      'POST /api/v1/messages (2)',
      'POST /api/v1/mark_stream_as_read',
      'POST /api/v1/users/me/subscriptions (2)',
      'PATCH /api/v1/users/me/subscriptions/muted_topics (1)',
      'PATCH /api/v1/users/me/subscriptions/muted_topics (2)',
      'PATCH /api/v1/users/me/subscriptions/{stream_id}',
    ],
  },
  {
    where: { public: 'member former admin', private: '' },
    requests: ['POST /api/v1/bots'],
  },
  {
    where: { public: 'admin', private: 'admin' },
    requests: [
      'GET /api/v1/bots/{bot_id}/zuliprc',
      'GET /api/v1/bots/{bot_id}/signature',
      'PUT /api/v1/bots/{bot_id}/signature',
      'DELETE /api/v1/bots/{bot_id}/signature',
      'POST /api/v1/bots/{bot_id}/api_key/regenerate',
      'POST /api/v1/user_groups/{group_id}/members',
      'POST /api/v1/users',
      'POST /api/v1/realm/filters',
      'PATCH /api/v1/users/{user_id}',
      'PATCH /api/v1/bots/{bot_id}',
      'PATCH /api/v1/user_groups/{group_id}',
      'PATCH /api/v1/realm/profile_fields',
      'PATCH /api/v1/realm/profile_fields/{field_id}',
      'DELETE /api/v1/default_streams',
      'DELETE /api/v1/user_groups/{group_id}',
      'DELETE /api/v1/realm/profile_fields/{field_id}',
      'DELETE /api/v1/realm/emoji/{emoji_name}',
      'DELETE /api/v1/realm/filters/{filter_id}',
      'POST /api/v1/realm/profile_fields',
      'PATCH /api/v1/streams/{stream_id} (1)',
      'DELETE /api/v1/users/me/subscriptions (2)',
      'DELETE /api/v1/streams/{stream_id}',
      'DELETE /api/v1/bots/{bot_id}',
      'DELETE /api/v1/users/{user_id}',
      'POST /api/v1/users/{user_id}/reactivate',
    ],
  },
  {
    where: { public: 'former', private: '' },
    requests: ['POST /api/v1/mark_topic_as_read'],
  },
  {
    where: { public: 'admin', private: '' },
    requests: [
      'POST /api/v1/default_streams',
      'PATCH /api/v1/realm (1)',
      'PATCH /api/v1/realm (2)',
      'DELETE /api/v1/messages/{message_id}',
      'POST /api/v1/streams/{stream_id}/delete_topic',
      'PATCH /api/v1/streams/{stream_id} (2)',
    ],
  },
  {
    where: { public: '', private: '' },
    requests: [
      'GET /api/v1/events',
      'POST /api/v1/messages/flags (2)',
      'POST /api/v1/users/me/subscriptions/properties',
      'PATCH /api/v1/messages/{message_id}',
      'DELETE /api/v1/events',
      'DELETE /api/v1/attachments/{attachment_id}',
    ],
  },
];

/** Asked with a key of another kind, or with none; tests of their own say what they let in. */
export const APART: ReadonlySet<string> = new Set([
  'POST /api/v1/external/{integration}',
  'GET /api/v1/server_settings',
  'POST /api/v1/dev_fetch_api_key',
  'POST /api/v1/fetch_api_key',
  'GET /api/v1/dev_list_users',
  'GET /generate_204/',
  'GET /static/generated/emoji/images-google-64/{file}',
  'GET /static/generated/emoji/images/emoji/unicode/{file}',
  'GET /static/generated/emoji/images/emoji/{file}',
]);
