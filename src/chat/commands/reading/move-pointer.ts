/** Moves the pointer that old clients use as their read position. It only moves forwards. */
import { Fault } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { eventDelivery } from '../../model/events/event';
import type { User } from '../../model/users/user';
import { invalidMessageId } from '../../model/users/user-faults';
import { accessMessageIn } from '../../queries/messages/access-message';
import * as users from '../../store/users/users';

export async function movePointer(kernel: Kernel, by: User, pointer: number): Promise<void> {
  await kernel.transaction(async (tx) => {
    const user = (await users.lock(tx.db, by.realmId, by.id))!;
    if (pointer <= user.pointer) return;
    await accessMessageIn(tx.db, by, pointer).catch((error: unknown) => {
      throw error instanceof Fault ? invalidMessageId() : error;
    });
    await users.update(tx.db, by.id, { pointer });
    tx.deliver(eventDelivery(by.realmId, [by.id], { type: 'pointer', pointer }));
  });
}
