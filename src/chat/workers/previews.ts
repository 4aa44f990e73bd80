/** Shows the pages that messages link. It mostly waits for other servers, so many run at once. */
import { previewLinks } from '../commands/preview-links';
import { sweepPreviews, wakeIfPending } from '../commands/wake-previews';
import { showPreviews } from '../jobs';
import type { Chat } from '../parts';
import { consume } from '../../kernel/jobs/consume';
import { defineJob } from '../../kernel/jobs/job';

export const chatPreviews = (chat: Chat) =>
  consume(showPreviews, {
    concurrency: 16,
    run: (_kernel, { realmId, messageId }, { signal }) => previewLinks(chat, { realmId, messageId, signal }),
    after: (kernel, preview) => wakeIfPending(kernel, preview),
  });

const sweep = defineJob<null>('chat-previews-sweep', { attempts: 1, backoffMs: 1000 });

/** Finds messages whose pages no worker looks at, because Redis was away or a worker died. */
export const chatPreviewsSweep = (chat: Chat) =>
  consume(sweep, {
    concurrency: 1,
    schedule: ({ sweepAfterMs }) => ({ everyMs: sweepAfterMs, payload: null }),
    run: () => sweepPreviews(chat),
  });
