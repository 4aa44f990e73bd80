/** Marks messages as read by a user and publishes it to the company. Messages already read are not published again. */
import type { Transact } from '../../../kernel/mysql/transaction';
import { existing } from '../../model/faults';
import type { Wire } from '../../../kernel/text/wire';
import type { readReply } from '../../model/answers/texting';
import { companyDelivery } from '../../model/companies/company-event';
import type { Caller } from '../../model/contacts/contact';
import { isTimezone } from '../../model/fields';
import { textTag } from '../../model/push/push-news';
import { noConversation, noMessage } from '../../model/texting/texting-faults';
import * as views from '../../store/texting/conversation-views';
import * as conversations from '../../store/texting/conversations';
import * as texts from '../../store/texting/texts';
import { withdrawRead } from '../push/withdraw-pushes';
import { timezoneOf } from './create-conversation';

export interface Reading {
  readonly conversationId: string;
  readonly messagesIds: readonly string[];
  /** The reader's timezone, if the client sends one. An unknown one is ignored. */
  readonly timezone: string | undefined;
}

export function markTextsRead(transaction: Transact, by: Caller, reading: Reading): Promise<Wire<typeof readReply>> {
  const { companyId, contactId } = by;
  return transaction(async (tx) => {
    const { db } = tx;
    const conversation = existing(await conversations.lock(db, companyId, reading.conversationId), noConversation);
    const { id } = conversation;
    const found = await texts.byIds(db, id, reading.messagesIds);
    if (found.length === 0) throw noMessage();
    const isKnown = reading.timezone !== undefined && isTimezone(reading.timezone);
    const timezone = isKnown ? reading.timezone : await timezoneOf(db, by);
    const ids = found.map((text) => text.id);
    const unread = await views.unreadOf(db, contactId, ids);
    const fresh = found.filter((text) => unread.has(text.id));
    if (fresh.length > 0) {
      await views.read(
        db,
        contactId,
        conversation,
        fresh.map(({ inboundSeq }) => inboundSeq!),
      );
      const event = { conversation_id: id, messagesIds: fresh.map((text) => text.id), timezone };
      tx.deliver(companyDelivery(companyId, 'texting.message.markAsRead', event));
      await withdrawRead(tx, by, textTag(id));
    }
    const view = (await views.viewsOf(db, contactId, [id])).get(id);
    return { conversation_id: id, messagesIds: ids, timezone, unread_msg_count: view?.unread ?? 0 };
  });
}
