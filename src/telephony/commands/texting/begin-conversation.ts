/** Finds or begins a conversation within a transaction, and tells of a new one. Its turn is the caller's then. */
import { newId } from '../../../kernel/id';
import type { Tx } from '../../../kernel/mysql/transaction';
import { companyDelivery } from '../../model/companies/company-event';
import { unseenView, type Conversation } from '../../model/texting/conversation';
import type { ConversationId } from '../../model/texting/texting';
import { conversationObject, type ConversationObject } from '../../model/texting/texting-wire';
import * as conversations from '../../store/texting/conversations';

export type Beginning = Omit<conversations.NewConversation, 'id'>;

export interface Begun {
  readonly conversation: Conversation;
  /** What was told of it; undefined where it was there already. */
  readonly made: ConversationObject | undefined;
}

export async function beginConversation(tx: Tx, beginning: Beginning): Promise<Begun> {
  const { db } = tx;
  const { companyId, fromNumber, type, members } = beginning;
  // Others than direct ones are only the same by their key.
  const origin = type === 'direct' ? undefined : beginning.origin;
  const find = () => {
    if (type === 'direct') return conversations.lockDirect(db, { companyId, fromNumber, contactId: members[0]!.id });
    return origin === undefined ? undefined : conversations.lockByOrigin(db, origin);
  };
  const known = await find();
  if (known) return { conversation: known, made: undefined };

  const id = newId() as ConversationId;
  await conversations.insert(db, { ...beginning, origin, id });
  const conversation = (await find()) ?? (await conversations.lock(db, companyId, id));
  // Somebody else began it at the same time.
  if (conversation!.id !== id) return { conversation: conversation!, made: undefined };
  await conversations.insertMembers(db, { ...beginning, id });
  const made = conversationObject(conversation!, { members, lastMessage: null, view: unseenView });
  tx.deliver(companyDelivery(companyId, 'texting.chat.new', made));
  return { conversation: conversation!, made };
}
