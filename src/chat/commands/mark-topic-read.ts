/** Marks everything a user has received in a topic as read. */
import type { Kernel } from '../../kernel/kernel';
import { badRequest } from '../model/faults';
import { readMark } from '../model/read-marks';
import type { Interval } from '../model/read-state';
import type { User } from '../model/user';
import { streamToMark } from '../queries/stream-to-mark';
import { walk } from '../store/narrowed-messages';
import * as readMarks from '../store/read-marks';

export async function markTopicRead(kernel: Kernel, by: User, streamId: number, name: string): Promise<void> {
  const { received, topicId } = await streamToMark(kernel.mysql, by, streamId, name.trim());
  if (topicId === undefined || !(await hasReceivedAny(kernel, by, topicId, received))) {
    throw badRequest(`No such topic '${name}'`);
  }
  const topic = { recipientId: streamId, topicId };
  await kernel.transaction(async (tx) => {
    const marked = await readMarks.markTopic(tx.db, by, topic);
    tx.deliver(readMark({ realmId: by.realmId, userId: by.id, stretch: { ...topic, ...marked }, touched: [topic] }));
  });
}

async function hasReceivedAny(
  kernel: Kernel,
  by: User,
  topicId: number,
  received: readonly Interval[],
): Promise<boolean> {
  const seeks = received.map((interval) => ({ by: 'topic' as const, key: topicId, ...interval }));
  const first = { realmId: by.realmId, userId: by.id, direction: 'up' as const, start: 0, limit: 1 };
  return (await walk(kernel.mysql, seeks, first)).glances.length > 0;
}
