/** Keeps what somebody has begun to write, so that another browser or a reloaded page goes on with it. */
import type { Transact } from '../../../kernel/mysql/transaction';
import type { Caller } from '../../model/contacts/contact';
import { existing } from '../../model/faults';
import { noConversation } from '../../model/texting/texting-faults';
import * as conversations from '../../store/texting/conversations';
import * as drafts from '../../store/texting/text-drafts';

export interface Begun {
  readonly conversationId: string;
  /** Empty once it was sent or given up. */
  readonly text: string;
}

export function keepDraft(transaction: Transact, by: Caller, { conversationId, text }: Begun): Promise<void> {
  return transaction(async ({ db }) => {
    const { id } = existing(await conversations.byId(db, by.companyId, conversationId), noConversation);
    await (text === '' ? drafts.remove(db, by.contactId, id) : drafts.keep(db, by.contactId, id, text));
  });
}
