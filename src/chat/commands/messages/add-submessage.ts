/** Adds to a poll or a to-do list, and publishes the addition to everyone who received the message. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import { eventDelivery } from '../../model/events/event';
import {
  bytesWith,
  checkSubmessage,
  mayNotAttach,
  submessageEvent,
  type Submessage,
} from '../../model/messages/submessage';
import type { User } from '../../model/users/user';
import { accessForChange, invalidMessages } from '../../queries/messages/access-message';
import * as edits from '../../store/messages/message-edits';
import * as submessages from '../../store/messages/submessages';

export interface SubmessageDraft extends Pick<Submessage, 'type' | 'content'> {
  readonly messageId: number;
}

export async function addSubmessage(kernel: Storage, by: User, draft: SubmessageDraft): Promise<void> {
  const { messageId, type, content } = draft;
  checkSubmessage(content);
  await accessForChange(kernel.mysql, by, messageId);
  await kernel.transaction(async (tx) => {
    const message = await edits.lock(tx.db, by.realmId, messageId);
    if (!message) throw invalidMessages();
    // Only the author can make a message a widget, by adding first.
    const last = await submessages.lastPlace(tx.db, message, message.senderId);
    ensure(last.hasAdded || message.senderId === by.id, mayNotAttach());
    const part = { place: last.place + 1, senderId: by.id, type, content };
    await edits.setSubmessageBytes(tx.db, message, bytesWith(message, content));
    await submessages.insert(tx.db, message, part);
    // The voter gets the event too, even without having received the message.
    const to = new Set([...(await edits.receivers(tx.db, message)), by.id]);
    tx.deliver(eventDelivery(by.realmId, [...to], submessageEvent(messageId, part)));
  });
}
