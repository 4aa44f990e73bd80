/** Makes thumbnails of uploaded pictures. */
import { each } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { pictures } from '../actors/mailboxes';
import { makeThumbnail } from '../commands/uploads/make-thumbnail';
import type { Chat } from '../parts';

export const chatThumbnails = (chat: Chat) =>
  mailboxWorker(pictures, { handle: each((_turn, { body }) => makeThumbnail(chat, body)) });
