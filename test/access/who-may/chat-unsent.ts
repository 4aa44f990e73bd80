/**
 * The rows of the access table about what somebody has and nobody else: what they have not sent, their devices, and whom they
 * have muted.
 */

export const OWN_UNSENT = [
  'GET /api/v1/drafts',
  'GET /api/v1/scheduled_messages',
  'GET /api/v1/reminders',
  'GET /api/v1/push_devices',
  'POST /api/v1/drafts',
  'POST /api/v1/scheduled_messages (2)',
  'POST /api/v1/users/me/muted_users/{user_id}',
  'DELETE /api/v1/users/me/muted_users/{user_id}',
];

export const UNSENT_OF_OTHERS = [
  'POST /api/v1/push_devices/{push_device_id}/test',
  'DELETE /api/v1/push_devices/{push_device_id}',
  'PATCH /api/v1/drafts/{draft_id}',
  'DELETE /api/v1/drafts/{draft_id}',
  'PATCH /api/v1/scheduled_messages/{scheduled_message_id}',
  'DELETE /api/v1/scheduled_messages/{scheduled_message_id}',
  'PATCH /api/v1/reminders/{reminder_id}',
  'DELETE /api/v1/reminders/{reminder_id}',
];
