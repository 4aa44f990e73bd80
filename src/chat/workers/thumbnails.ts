/** Makes thumbnails of uploaded pictures, each once. */
import { consume } from '../../kernel/jobs/consume';
import { makeThumbnailOf } from '../commands/make-thumbnail';
import { makeThumbnail } from '../jobs';
import type { Chat } from '../parts';

export const chatThumbnails = (chat: Chat) =>
  consume(makeThumbnail, {
    // How many pictures are decoded at once is limited elsewhere; organisations take turns there.
    concurrency: 4,
    run: (_kernel, { realmId, uploadId }) => makeThumbnailOf(chat, realmId, uploadId),
  });
