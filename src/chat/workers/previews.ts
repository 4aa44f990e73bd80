/** Adds previews of linked pages to messages. It mostly waits for other servers, so many run at once. */
import { each } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { previews } from '../actors/mailboxes';
import { previewLinks } from '../commands/messages/preview-links';
import type { Chat } from '../parts';

export const chatPreviews = (chat: Chat) =>
  mailboxWorker(previews, { handle: each((turn, { body }) => previewLinks(chat, turn, body)) });
