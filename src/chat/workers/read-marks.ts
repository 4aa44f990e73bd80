/** Publishes the messages of a read mark to the reader's clients. Marks of many readers run in parallel. */
import { each } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { readMarks } from '../actors/mailboxes';
import { settleReads } from '../commands/reading/settle-reads';

export const chatReadMarks = mailboxWorker(readMarks, {
  handle: each((_turn, { body }) => Promise.resolve(settleReads(body))),
});
