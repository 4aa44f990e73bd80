/** Deletes a message permanently, and publishes that to everyone who received it. */
import type { Kernel } from '../../../kernel/kernel';
import { eventDelivery, type ChatEvent } from '../../model/events/event';
import { alreadyDeleted, checkMayDelete } from '../../model/messages/edit-policy';
import type { Message } from '../../model/messages/message';
import type { User } from '../../model/users/user';
import { accessMessage } from '../../queries/messages/access-message';
import * as edits from '../../store/messages/message-edits';
import * as realms from '../../store/organisation/realms';
import * as people from '../../store/users/people';

export async function deleteMessage(kernel: Kernel, by: User, id: number): Promise<void> {
  const found = await accessMessage(kernel, by, id);
  const { settings } = (await realms.byId(kernel.mysql, by.realmId))!;
  checkMayDelete(found, { by, settings, now: kernel.clock.now() });
  await kernel.transaction(async (tx) => {
    const message = await edits.lock(tx.db, by.realmId, id);
    if (!message) throw alreadyDeleted();
    const [sender] = await people.byIds(tx.db, by.realmId, [message.senderId]);
    const received = await edits.receivers(tx.db, message);
    await edits.remove(tx.db, { realmId: by.realmId, ids: [id] }, received);
    tx.deliver(eventDelivery(by.realmId, received, deletion(message, sender!)));
  });
}

/** The event of a deletion. */
export function deletion(message: Message, sender: User): ChatEvent {
  const { id, recipientId, topicId, topic } = message;
  return {
    type: 'delete_message',
    message_id: id,
    sender: sender.email,
    sender_id: sender.id,
    ...(topicId === null
      ? { message_type: 'private', recipient_id: recipientId }
      : { message_type: 'stream', stream_id: recipientId, topic }),
  };
}
