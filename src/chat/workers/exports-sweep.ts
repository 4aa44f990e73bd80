/** Deletes archives of organisations in time, and looks after exports that no worker goes on with. */
import { consume } from '../../kernel/jobs/consume';
import { defineJob } from '../../kernel/jobs/job';
import { sweepExports } from '../commands/sweep-exports';
import type { Chat } from '../parts';

const sweep = defineJob<null>('chat-exports-sweep', { attempts: 1, backoffMs: 1000 });

export const chatExportsSweep = (chat: Chat) =>
  consume(sweep, {
    concurrency: 1,
    schedule: ({ jobLockMs }) => ({ everyMs: jobLockMs, payload: null }),
    run: () => sweepExports(chat),
  });
