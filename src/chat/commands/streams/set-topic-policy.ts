/** Mutes, unmutes and follows topics for a user. */
import type { Kernel } from '../../../kernel/kernel';
import { runRead } from '../../../kernel/mysql/read-packet';
import type { Tx } from '../../../kernel/mysql/transaction';
import { checkTopic } from '../../model/messages/draft';
import { eventDelivery } from '../../model/events/event';
import type { StreamId } from '../../model/streams/stream';
import { invalidStreamId, topicAlreadyMuted, topicNotMuted } from '../../model/streams/stream-faults';
import { mutedTopicsOf, TOPIC_POLICY, wireUserTopic, type TopicPolicy } from '../../model/streams/topic-policy';
import type { User } from '../../model/users/user';
import { accessStream, findStream, type StreamRef } from '../../queries/streams/access-stream';
import * as userTopics from '../../store/streams/user-topics';
import * as users from '../../store/users/users';

type Parts = Pick<Kernel, 'transaction' | 'clock'>;

interface Change {
  readonly streamId: StreamId;
  readonly topic: string;
  readonly policy: TopicPolicy;
}

/** The topic need not have messages yet. */
export async function muteTopic(kernel: Parts, by: User, ref: StreamRef, written: string): Promise<void> {
  const topic = checkTopic(written);
  await changing(kernel, by, async ({ db }) => {
    const { stream } = await accessStream(db, by, ref);
    const before = await userTopics.policyOf(db, { userId: by.id, streamId: stream.id, topic });
    if (before === TOPIC_POLICY.muted) throw topicAlreadyMuted();
    return { streamId: stream.id, topic, policy: TOPIC_POLICY.muted };
  });
}

/** Works even in streams that the user can no longer see. */
export async function unmuteTopic(kernel: Parts, by: User, ref: StreamRef, written: string): Promise<void> {
  const topic = written.trim();
  await changing(kernel, by, async ({ db }) => {
    const stream = await findStream(db, by.realmId, ref);
    if (
      !stream ||
      (await userTopics.policyOf(db, { userId: by.id, streamId: stream.id, topic })) !== TOPIC_POLICY.muted
    ) {
      throw topicNotMuted();
    }
    return { streamId: stream.id, topic, policy: TOPIC_POLICY.none };
  });
}

interface Wish {
  readonly streamId: number;
  readonly topic: string;
  readonly policy: TopicPolicy;
}

/** Setting what is set already changes nothing. A policy may be taken back in streams that the user can no longer see. */
export async function setTopicPolicy(kernel: Parts, by: User, wish: Wish): Promise<void> {
  const topic = checkTopic(wish.topic);
  const { policy } = wish;
  await changing(kernel, by, async ({ db }) => {
    const isTakenBack = policy === TOPIC_POLICY.none;
    const stream = isTakenBack
      ? await findStream(db, by.realmId, wish.streamId)
      : (await accessStream(db, by, wish.streamId)).stream;
    if (!stream) throw invalidStreamId();
    const before = await userTopics.policyOf(db, { userId: by.id, streamId: stream.id, topic });
    // Whether a hidden stream exists is nobody's business.
    if (isTakenBack && before === policy) await accessStream(db, by, wish.streamId);
    return before === policy ? undefined : { streamId: stream.id, topic, policy };
  });
}

/** The user is locked, so that events keep the order of the changes. Clients of Zulip 2.1 get the whole list of muted topics. */
async function changing(
  { transaction, clock }: Parts,
  by: User,
  plan: (tx: Tx) => Promise<Change | undefined>,
): Promise<void> {
  await transaction(async (tx) => {
    await users.lock(tx.db, by.realmId, by.id);
    const change = await plan(tx);
    if (!change) return;
    const { streamId, topic, policy } = change;
    const updatedAt = Math.floor(clock.now().getTime() / 1000);
    await userTopics.set(tx.db, { userId: by.id, streamId, topic }, policy, updatedAt);
    const muted = mutedTopicsOf(await runRead(tx.db, userTopics.ofUserRead(by.id)));
    tx.deliver(eventDelivery(by.realmId, [by.id], { type: 'muted_topics', muted_topics: muted }));
    tx.deliver(eventDelivery(by.realmId, [by.id], { type: 'user_topic', ...wireUserTopic({ ...change, updatedAt }) }));
  });
}
