/** Finds or creates a conversation within a transaction and publishes a new one. The caller then holds its row lock. */
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
  /** The published object; undefined if the conversation already existed. */
  readonly made: ConversationObject | undefined;
}

export async function beginConversation(tx: Tx, beginning: Beginning): Promise<Begun> {
  const { db } = tx;
  const { companyId, fromNumber, type, members } = beginning;
  // Direct conversations are matched by their members, others only by idempotency key.
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
  // Another transaction created it at the same time.
  if (conversation!.id !== id) return { conversation: conversation!, made: undefined };
  await conversations.insertMembers(db, { ...beginning, id });
  const made = conversationObject(conversation!, { members, lastMessage: null, view: unseenView });
  tx.deliver(companyDelivery(companyId, 'texting.chat.new', made));
  return { conversation: conversation!, made };
}
