/** Deletes an event queue. A poll that waits on it, on any node, learns that the queue is gone. */
import { eventQueue } from '../../actors/event-queue/event-queue';
import { badQueue, notYourQueue } from '../../model/faults';
import { realmTenant } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';

export async function dropQueue(chat: Chat, by: User, id: string): Promise<void> {
  const ref = eventQueue.at(realmTenant(by.realmId), id);
  const queue = await ref.request(chat.kernel, 'read', null);
  if (!queue) throw badQueue(id);
  if (queue.userId !== by.id) throw notYourQueue();
  const existed = await ref.request(chat.kernel, 'drop', { id, userId: by.id });
  chat.queues.delete(id);
  await (await chat.polls.open(by.realmId)).announceEnd([id]);
  if (!existed) throw badQueue(id);
}
