/** Marks all messages that a user received in a stream as read. */
import type { Kernel } from '../../../kernel/kernel';
import { invalidStreamId } from '../../model/streams/stream-faults';
import type { User } from '../../model/users/user';
import { streamPacket } from '../../store/reading/mark-packets';
import { commitMark } from './commit-mark';

export async function markStreamRead(kernel: Kernel, by: User, streamId: number): Promise<void> {
  const { stream } = await commitMark(kernel, by, streamPacket(by, streamId));
  if (stream === null) throw invalidStreamId();
}
