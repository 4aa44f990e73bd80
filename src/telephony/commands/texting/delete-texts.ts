/** Deletes messages or a whole conversation, for the whole company. Queued texts among them are not sent. */
import type { Storage } from '../../../kernel/kernel';
import { done, dropped, postponed, type Ending } from '../../../kernel/mailbox/ending';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { Wire } from '../../../kernel/text/wire';
import { deletedConversations } from '../../actors/mailboxes';
import { existing } from '../../model/faults';
import type { deletedTexts } from '../../model/answers/texting';
import { companyTenant } from '../../model/companies/company';
import { companyDelivery } from '../../model/companies/company-event';
import type { Caller } from '../../model/contacts/contact';
import { textTag } from '../../model/push/push-news';
import { CALLED_OFF, type SendError, type ConversationId } from '../../model/texting/texting';
import { noConversation, noMessage } from '../../model/texting/texting-faults';
import { presentConversation } from '../../queries/texting/conversations';
import * as views from '../../store/texting/conversation-views';
import * as conversations from '../../store/texting/conversations';
import * as texts from '../../store/texting/texts';
import { announceChange } from '../push/tell-devices';
import { cancelSends } from './record-receipt';

const DELETED: SendError = { code: CALLED_OFF.deleted, detail: 'It was deleted before it was sent' };

/** Skips messages that do not exist. Throws if none exists. */
export function deleteTexts(
  kernel: Storage,
  by: Caller,
  { conversationId, ids }: { conversationId: string; ids: readonly string[] },
): Promise<Wire<typeof deletedTexts>> {
  return kernel.transaction(async (tx) => {
    const { db } = tx;
    const conversation = existing(await conversations.lock(db, by.companyId, conversationId), noConversation);
    const found = await texts.byIds(db, conversation.id, ids);
    if (found.length === 0) throw noMessage();
    const textIds = found.map(({ id }) => id);
    const at = kernel.clock.now();
    await cancelSends(tx, by.companyId, { textIds }, DELETED);
    await texts.remove(db, textIds, at);
    await views.readByAll(
      db,
      conversation.id,
      found.flatMap(({ inboundSeq }) => inboundSeq ?? []),
    );
    const isLastGone = textIds.some((id) => id === conversation.lastTextId);
    const last = isLastGone ? await texts.newest(db, conversation.id) : undefined;
    tx.writeLast(
      conversations.updating({
        ...conversation,
        hiddenCount: conversation.hiddenCount + found.length,
        lastTextId: isLastGone ? (last?.id ?? null) : conversation.lastTextId,
        updatedAt: at,
      }),
    );
    const deleted = textIds.map((id) => ({ id, conversation_id: conversation.id }));
    await announceChange(tx, by.companyId, textTag(conversation.id));
    for (const each of deleted) tx.deliver(companyDelivery(by.companyId, 'texting.message.delete', each));
    return deleted;
  });
}

/** A later text to the same number starts a new conversation. */
export function deleteConversation(kernel: Storage, by: Caller, id: string): Promise<object> {
  const { companyId } = by;
  return kernel.transaction(async (tx) => {
    const { db } = tx;
    const conversation = existing(await conversations.lock(db, companyId, id), noConversation);
    const gone = await presentConversation(db, by.contactId, conversation);
    await cancelSends(tx, companyId, { conversationId: conversation.id }, DELETED);
    await conversations.remove(db, conversation.id, kernel.clock.now());
    await announceChange(tx, companyId, textTag(conversation.id));
    tx.deliver(companyDelivery(companyId, 'texting.chat.delete', { id: conversation.id }));
    deletedConversations.at(companyTenant(companyId), id).send(tx, { conversationId: id });
    return gone;
  });
}

const MAX_AT_ONCE = 500;

/** Empties the texts of a deleted conversation in batches, because there may be too many for one transaction. */
export async function forgetConversation(kernel: Storage, id: string): Promise<Ending> {
  const conversationId = id as ConversationId;
  if (!(await conversations.isDeleted(kernel.mysql, conversationId))) return dropped('It is not deleted');
  const ids = await texts.someIds(kernel.mysql, conversationId, MAX_AT_ONCE);
  const write = ({ db }: Tx) => texts.remove(db, ids, kernel.clock.now());
  return ids.length < MAX_AT_ONCE ? done({ write }) : postponed(null, 0, { write });
}
