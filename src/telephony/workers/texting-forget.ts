/** Empties deleted conversations. */
import { each } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { deletedConversations } from '../actors/mailboxes';
import { forgetConversation } from '../commands/texting/forget-conversation';

export const textingForget = mailboxWorker(deletedConversations, {
  handle: each(({ kernel }, { body }) => forgetConversation(kernel, body.conversationId)),
});
