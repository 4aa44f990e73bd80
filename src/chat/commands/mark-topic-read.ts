/** Marks everything a user has received in a topic as read. */
import type { Kernel } from '../../kernel/kernel';
import { badRequest } from '../model/faults';
import { readMark } from '../model/read-marks';
import type { User } from '../model/user';
import { accessStreamById } from '../queries/access-stream';
import { walk } from '../store/narrowed-messages';
import * as readMarks from '../store/read-marks';
import * as readState from '../store/read-state';
import * as topics from '../store/topics';

export async function markTopicRead(kernel: Kernel, by: User, streamId: number, name: string): Promise<void> {
  const { stream } = await accessStreamById(kernel.mysql, by, streamId);
  const topicId = await topics.idOf(kernel.mysql, stream.id, name.trim());
  if (topicId === undefined || !(await hasReceivedAny(kernel, by, stream.id, topicId))) {
    throw badRequest(`No such topic '${name}'`);
  }
  const topic = { recipientId: stream.id, topicId };
  await kernel.transaction(async (tx) => {
    const marked = await readMarks.markTopic(tx.db, by, topic);
    tx.deliver(readMark({ realmId: by.realmId, userId: by.id, stretch: { ...topic, ...marked }, touched: [topic] }));
  });
}

async function hasReceivedAny(kernel: Kernel, by: User, recipientId: number, topicId: number): Promise<boolean> {
  const state = await readState.load(kernel.mysql, by.id, [recipientId]);
  const received = state.places.get(recipientId)?.received ?? [];
  const seeks = received.map((interval) => ({ by: 'topic' as const, key: topicId, ...interval }));
  const first = { realmId: by.realmId, userId: by.id, direction: 'up' as const, start: 0, limit: 1 };
  return (await walk(kernel.mysql, seeks, first)).glances.length > 0;
}
