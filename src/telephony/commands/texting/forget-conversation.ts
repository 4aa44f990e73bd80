/** Empties the texts of a deleted conversation in batches, because there may be too many for one transaction. */
import type { Kernel } from '../../../kernel/kernel';
import { done, dropped, postponed, type Ending } from '../../../kernel/mailbox/ending';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { ConversationId } from '../../model/texting/texting';
import * as conversations from '../../store/texting/conversations';
import * as texts from '../../store/texting/texts';

const MAX_AT_ONCE = 500;

export async function forgetConversation(kernel: Kernel, id: string): Promise<Ending> {
  const conversationId = id as ConversationId;
  if (!(await conversations.isDeleted(kernel.mysql, conversationId))) return dropped('It is not deleted');
  const ids = await texts.someIds(kernel.mysql, conversationId, MAX_AT_ONCE);
  const write = ({ db }: Tx) => texts.remove(db, ids, kernel.clock.now());
  return ids.length < MAX_AT_ONCE ? done({ write }) : postponed(null, 0, { write });
}
