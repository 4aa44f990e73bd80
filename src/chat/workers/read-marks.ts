/** Tells readers' clients which messages a mark made read. Many marks of many readers are settled at once. */
import { each } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { readMarks } from '../actors/mailboxes';
import { settleReads } from '../commands/reading/settle-reads';

export const chatReadMarks = mailboxWorker(readMarks, {
  handle: each((_turn, { body }) => Promise.resolve(settleReads(body))),
});
