/** Ends an event queue; a poll that waits on it, on whichever node, learns that it is gone. */
import type { Kernel } from '../../kernel/kernel';
import { eventQueue } from '../actors/event-queue/event-queue';
import { forgetQueue } from '../actors/event-queue/known-queues';
import { realmPolls } from '../actors/event-ring/realm-polls';
import { badQueue, notYourQueue } from '../model/faults';
import { realmTenant } from '../model/realm';
import type { User } from '../model/user';

export async function dropQueue(kernel: Kernel, by: User, id: string): Promise<void> {
  const ref = eventQueue.at(kernel, realmTenant(by.realmId), id);
  const queue = await ref.ask('read', null);
  if (!queue) throw badQueue(id);
  if (queue.userId !== by.id) throw notYourQueue();
  const existed = await ref.ask('drop', { id, userId: by.id });
  forgetQueue(kernel, id);
  await (await realmPolls(kernel, by.realmId)).announceEnd([id]);
  if (!existed) throw badQueue(id);
}
