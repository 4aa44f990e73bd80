/** Commits a read mark and wakes the worker that settles it. The response does not wait for the worker. */
import type { Kernel } from '../../../kernel/kernel';
import { wakeNow } from '../../../kernel/mailbox/mailbox';
import { commitPacket, type Packet } from '../../../kernel/mysql/packet';
import { readMarks } from '../../actors/mailboxes';
import { readerAt } from '../../model/reading/read-marks';
import type { User } from '../../model/users/user';

export async function commitMark<T>(kernel: Kernel, by: User, packet: Packet<T>): Promise<T> {
  const value = await commitPacket(kernel, packet);
  wakeNow(kernel, readMarks, readerAt(by));
  return value;
}
