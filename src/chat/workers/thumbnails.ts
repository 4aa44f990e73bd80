/** Makes thumbnails of uploaded pictures, each once. */
import { consume } from '../../kernel/jobs/consume';
import { defineJob } from '../../kernel/jobs/job';
import { makeThumbnailOf, sweepThumbnails } from '../commands/make-thumbnail';
import { makeThumbnail } from '../jobs';
import type { Chat } from '../parts';

export const chatThumbnails = (chat: Chat) =>
  consume(makeThumbnail, {
    // How many pictures are decoded at once is limited elsewhere; organisations take turns there.
    concurrency: 4,
    run: (_kernel, { realmId, uploadId }) => makeThumbnailOf(chat, realmId, uploadId),
  });

const sweep = defineJob<null>('chat-thumbnails-sweep', { attempts: 1, backoffMs: 1000 });

/** Finds pictures whose job was lost, because Redis was away or a worker died too often. */
export const chatThumbnailsSweep = (chat: Chat) =>
  consume(sweep, {
    concurrency: 1,
    schedule: ({ sweepAfterMs }) => ({ everyMs: sweepAfterMs, payload: null }),
    run: () => sweepThumbnails(chat),
  });
