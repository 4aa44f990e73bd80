/** Commits a read mark and wakes the worker that settles it. The response does not wait for the worker. */
import type { Kernel } from '../../../kernel/kernel';
import { WRITTEN } from '../../../kernel/mailbox/mailbox';
import { commitPacket, type Packet } from '../../../kernel/mysql/packet';
import { readMarksOf } from '../../actors/mailboxes';
import type { User } from '../../model/users/user';

export async function commitMark<T>(kernel: Kernel, by: User, packet: Packet<T>): Promise<T> {
  const value = await commitPacket(kernel, packet);
  readMarksOf(by.realmId, by.id).send(kernel.jobs, WRITTEN);
  return value;
}
