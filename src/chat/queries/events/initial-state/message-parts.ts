/** The user's messages: the newest id, recent conversations, unread and starred ones. */
import * as conversations from '../../../store/reading/conversations';
import * as received from '../../../store/reading/received-messages';
import { unreadMessages } from '../../reading/unread-messages';
import type { StateParts } from './part';

export const messageParts: StateParts = {
  message: async ({ db, by }) => ({ max_message_id: await received.last(db, by) }),
  recent_private_conversations: async ({ db, by }) => ({
    recent_private_conversations: await conversations.recent(db, by),
  }),
  starred_messages: async ({ db, by }) => ({ starred_messages: await received.starred(db, by.id) }),
  // Useful only together with new messages.
  update_message_flags: async ({ db, by, wanted }) =>
    wanted.has('message') ? { unread_msgs: await unreadMessages(db, by) } : {},
};
