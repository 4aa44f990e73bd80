/** Marks everything a user has received in a topic as read. */
import type { Kernel } from '../../kernel/kernel';
import { commitPacket } from '../../kernel/mysql/packet';
import { badRequest } from '../model/faults';
import type { User } from '../model/user';
import { streamToMark } from '../queries/stream-to-mark';
import { topicPacket } from '../store/mark-packets';

export async function markTopicRead(kernel: Kernel, by: User, streamId: number, name: string): Promise<void> {
  const topicId = await streamToMark(kernel.mysql, by, streamId, name.trim());
  if (topicId === undefined) throw badRequest(`No such topic '${name}'`);
  await commitPacket(kernel, topicPacket(by, { recipientId: streamId, topicId }));
}
