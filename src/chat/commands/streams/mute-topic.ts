/** Mutes and unmutes topics for a user. */
import type { Kernel } from '../../../kernel/kernel';
import { runRead } from '../../../kernel/mysql/read-packet';
import type { Tx } from '../../../kernel/mysql/transaction';
import { checkTopic } from '../../model/messages/draft';
import { eventDelivery } from '../../model/events/event';
import { topicAlreadyMuted, topicNotMuted } from '../../model/streams/stream-faults';
import type { User } from '../../model/users/user';
import { accessStream, findStream, type StreamRef } from '../../queries/streams/access-stream';
import * as mutedTopics from '../../store/streams/muted-topics';
import * as users from '../../store/users/users';

type Parts = Pick<Kernel, 'transaction'>;

/** The topic need not have messages yet. */
export async function muteTopic(kernel: Parts, by: User, ref: StreamRef, written: string): Promise<void> {
  const topic = checkTopic(written);
  await changing(kernel, by, async ({ db }) => {
    const { stream } = await accessStream(db, by, ref);
    const isNew = await mutedTopics.insert(db, { userId: by.id, streamId: stream.id, topic });
    if (!isNew) throw topicAlreadyMuted();
  });
}

/** Works even in streams that the user can no longer see. */
export async function unmuteTopic(kernel: Parts, by: User, ref: StreamRef, written: string): Promise<void> {
  const topic = written.trim();
  await changing(kernel, by, async ({ db }) => {
    const stream = await findStream(db, by.realmId, ref);
    const wasMuted = stream && (await mutedTopics.remove(db, { userId: by.id, streamId: stream.id, topic }));
    if (!wasMuted) throw topicNotMuted();
  });
}

/** Publishes the whole list. The user is locked, so that events keep the order of the changes. */
async function changing({ transaction }: Parts, by: User, change: (tx: Tx) => Promise<void>): Promise<void> {
  await transaction(async (tx) => {
    await users.lock(tx.db, by.realmId, by.id);
    await change(tx);
    const muted = await runRead(tx.db, mutedTopics.ofUserRead(by.id));
    tx.deliver(eventDelivery(by.realmId, [by.id], { type: 'muted_topics', muted_topics: muted }));
  });
}
