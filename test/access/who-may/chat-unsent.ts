/** The rows of the access table about what somebody has written and not sent, which concerns nobody else. */

export const OWN_UNSENT = [
  'GET /api/v1/drafts',
  'GET /api/v1/scheduled_messages',
  'GET /api/v1/reminders',
  'POST /api/v1/drafts',
  'POST /api/v1/scheduled_messages (2)',
];

export const UNSENT_OF_OTHERS = [
  'PATCH /api/v1/drafts/{draft_id}',
  'DELETE /api/v1/drafts/{draft_id}',
  'PATCH /api/v1/scheduled_messages/{scheduled_message_id}',
  'DELETE /api/v1/scheduled_messages/{scheduled_message_id}',
  'DELETE /api/v1/reminders/{reminder_id}',
];
