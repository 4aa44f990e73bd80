/** Marks all messages that a user received in a topic as read. */
import type { Kernel } from '../../../kernel/kernel';
import { badRequest } from '../../model/faults';
import { invalidStreamId } from '../../model/streams/stream-faults';
import type { User } from '../../model/users/user';
import { topicPacket } from '../../store/reading/mark-packets';
import { commitMark } from './commit-mark';

export async function markTopicRead(kernel: Kernel, by: User, streamId: number, name: string): Promise<void> {
  for (const isUsual of [true, false]) {
    const packet = topicPacket(by, streamId, { name: name.trim(), isUsual });
    const { stream, topic } = await commitMark(kernel, by, packet);
    if (stream === null) throw invalidStreamId();
    if (topic !== null) return;
  }
  throw badRequest(`No such topic '${name}'`);
}
