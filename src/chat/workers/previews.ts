/** Shows the pages that messages link. It mostly waits for other servers, so many run at once. */
import { previewLinks } from '../commands/preview-links';
import { showPreviews } from '../jobs';
import type { Chat } from '../parts';
import { consume } from '../../kernel/jobs/consume';

export const chatPreviews = (chat: Chat) =>
  consume(showPreviews, {
    concurrency: 16,
    run: (_kernel, { realmId, messageId }, { signal }) => previewLinks(chat, { realmId, messageId, signal }),
  });
