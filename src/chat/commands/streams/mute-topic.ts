/** Mutes and unmutes topics for a user. */
import type { Kernel } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import { checkTopic } from '../../model/messages/draft';
import { eventDelivery } from '../../model/events/event';
import { topicAlreadyMuted, topicNotMuted } from '../../model/streams/stream-faults';
import type { StreamId } from '../../model/streams/stream';
import type { User } from '../../model/users/user';
import { accessStreamById, accessStreamByName } from '../../queries/streams/access-stream';
import * as mutedTopics from '../../store/streams/muted-topics';
import * as streams from '../../store/streams/streams';
import * as users from '../../store/users/users';

type Parts = Pick<Kernel, 'transaction'>;

/** A stream by its name or its id. */
export type StreamRef = string | number;

/** The topic need not have messages yet. */
export async function muteTopic(kernel: Parts, by: User, ref: StreamRef, written: string): Promise<void> {
  const topic = checkTopic(written);
  await kernel.transaction(async (tx) => {
    await users.lock(tx.db, by.realmId, by.id);
    const { stream } =
      typeof ref === 'string' ? await accessStreamByName(tx.db, by, ref) : await accessStreamById(tx.db, by, ref);
    const isNew = await mutedTopics.insert(tx.db, { userId: by.id, streamId: stream.id, topic });
    if (!isNew) throw topicAlreadyMuted();
    await publishMutedTopics(tx, by);
  });
}

/** Works even in streams that the user can no longer see. */
export async function unmuteTopic(kernel: Parts, by: User, ref: StreamRef, written: string): Promise<void> {
  const topic = written.trim();
  await kernel.transaction(async (tx) => {
    await users.lock(tx.db, by.realmId, by.id);
    const streamId = await findStream(tx, by, ref);
    const wasMuted = streamId !== undefined && (await mutedTopics.remove(tx.db, { userId: by.id, streamId, topic }));
    if (!wasMuted) throw topicNotMuted();
    await publishMutedTopics(tx, by);
  });
}

async function findStream(tx: Tx, by: User, ref: StreamRef): Promise<StreamId | undefined> {
  const stream =
    typeof ref === 'string'
      ? await streams.byName(tx.db, by.realmId, ref.trim())
      : await streams.byId(tx.db, by.realmId, ref);
  return stream?.id;
}

/** Publishes the whole list. The user is locked, so that events keep the order of the changes. */
async function publishMutedTopics(tx: Tx, by: User): Promise<void> {
  tx.deliver(
    eventDelivery(by.realmId, [by.id], { type: 'muted_topics', muted_topics: await mutedTopics.ofUser(tx.db, by.id) }),
  );
}
