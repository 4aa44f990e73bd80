/** Writes archives of organisations, one at a time, and says so when one cannot be written. */
import { Busy } from '../../kernel/actor/lease';
import { consume } from '../../kernel/jobs/consume';
import { failExport } from '../commands/fail-export';
import { writeExport } from '../commands/write-export';
import { exportRealm } from '../jobs';
import type { Chat } from '../parts';

export const chatExports = (chat: Chat) =>
  consume(exportRealm, {
    concurrency: 1,
    async run(_kernel, order, { signal, attempt }) {
      try {
        await writeExport(chat, order, signal);
      } catch (error) {
        if (!(error instanceof Busy) && attempt >= exportRealm.attempts) await failExport(chat, order);
        throw error;
      }
    },
  });
