/** Deletes messages: one, or a whole topic. */
import type { Storage } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import { type ChatEvent, eventDelivery } from '../../model/events/event';
import { alreadyDeleted, checkMayDelete } from '../../model/messages/edit-policy';
import type { Message } from '../../model/messages/message';
import type { StreamId } from '../../model/streams/stream';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import { accessForChange } from '../../queries/messages/access-message';
import { accessStream } from '../../queries/streams/access-stream';
import { readableRanges } from '../../queries/streams/list-streams';
import * as edits from '../../store/messages/message-edits';
import * as topics from '../../store/messages/topics';
import * as realms from '../../store/organisation/realms';
import * as people from '../../store/users/people';

export async function deleteMessage(kernel: Storage, by: User, id: number): Promise<void> {
  const found = await accessForChange(kernel.mysql, by, id);
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

/** Each message has its own event, which limits how many fit in a transaction. */
const MAX_AT_ONCE = 100;

/** Deletes all messages of a topic that the administrator can see, and publishes that to their recipients. */
export async function deleteTopic(kernel: Storage, by: User, streamId: number, name: string): Promise<void> {
  ensureAdmin(by);
  const access = await accessStream(kernel.mysql, by, streamId);
  const topicId = await topics.idOf(kernel.mysql, streamId, name.trim());
  if (topicId === undefined) return;
  const topic = { streamId: access.stream.id, topicId };
  for (const range of await readableRanges(kernel.mysql, by, access)) {
    while ((await kernel.transaction((tx) => removeSome(tx, by, topic, range))) === MAX_AT_ONCE);
  }
}

/** Returns how many messages were removed. */
async function removeSome(
  tx: Tx,
  by: User,
  { streamId, topicId }: { readonly streamId: StreamId; readonly topicId: number },
  range: readonly [number, number],
): Promise<number> {
  const { realmId } = by;
  const found = await topics.lockNewest(tx.db, { realmId, topicId }, range, MAX_AT_ONCE);
  if (found.length === 0) return 0;
  const receiversOf = await topics.receiversOf(tx.db, streamId);
  const senders = await people.byIds(tx.db, realmId, [...new Set(found.map(({ senderId }) => senderId))]);
  const received = new Set(found.flatMap(({ id }) => receiversOf(id)));
  const ids = found.map(({ id }) => id);
  await edits.remove(tx.db, { realmId, ids }, [...received]);
  for (const message of found) {
    const sender = senders.find(({ id }) => id === message.senderId)!;
    tx.deliver(eventDelivery(realmId, receiversOf(message.id), deletion(message, sender)));
  }
  return found.length;
}
