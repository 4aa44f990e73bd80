/** Chat's workers, by the names that operators use. */
import type { Workers } from '../../kernel/jobs/consume';
import type { Chat } from '../parts';
import { chatExports } from './exports';
import { chatMail } from './mail';
import { chatMissedMessages } from './missed-messages';
import { chatOutgoing } from './outgoing';
import { chatPreviews } from './previews';
import { chatReadMarks } from './read-marks';
import { chatRetention } from './retention';
import { chatSearch } from './search';
import { chatThumbnails } from './thumbnails';
import { chatWebhooks } from './webhooks';

export const chatWorkers = (chat: Chat): Workers => ({
  'chat-exports': chatExports(chat),
  'chat-mail': chatMail(chat),
  'chat-missed-messages': chatMissedMessages(chat),
  'chat-outgoing': chatOutgoing(chat),
  'chat-previews': chatPreviews(chat),
  'chat-read-marks': chatReadMarks,
  'chat-retention': chatRetention(chat),
  'chat-search': chatSearch,
  'chat-thumbnails': chatThumbnails(chat),
  'chat-webhooks': chatWebhooks(chat),
});
