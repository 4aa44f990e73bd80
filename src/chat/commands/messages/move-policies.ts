/** Where a whole topic moves, those who muted, unmuted or follow it take that along, if they may see where it goes. */
import { groupBy } from '../../../kernel/group';
import type { Kernel } from '../../../kernel/kernel';
import { runRead } from '../../../kernel/mysql/read-packet';
import type { Tx } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import type { RealmId } from '../../model/organisation/realm';
import type { Stream } from '../../model/streams/stream';
import { maySee } from '../../model/streams/stream-policy';
import {
  mergedPolicy,
  mutedTopicsOf,
  TOPIC_POLICY,
  type TopicPolicy,
  wireUserTopic,
} from '../../model/streams/topic-policy';
import type { UserId } from '../../model/users/user';
import * as subscriptions from '../../store/streams/subscriptions';
import * as userTopics from '../../store/streams/user-topics';
import * as users from '../../store/users/users';

interface Place {
  readonly stream: Pick<Stream, 'id' | 'isPrivate'>;
  readonly topic: string;
}

/** Bounds how long a transaction locks users. */
const MAX_AT_ONCE = 100;

export async function movePolicies(
  { transaction, mysql, clock }: Pick<Kernel, 'transaction' | 'mysql' | 'clock'>,
  realmId: RealmId,
  { from, to, isMerge }: { readonly from: Place; readonly to: Place; readonly isMerge: boolean },
): Promise<void> {
  if (from.stream.id === to.stream.id && from.topic.toLowerCase() === to.topic.toLowerCase()) return;
  const updatedAt = Math.floor(clock.now().getTime() / 1000);
  const userIds = await userTopics.usersOf(mysql, from.stream.id, from.topic);
  for (let start = 0; start < userIds.length; start += MAX_AT_ONCE) {
    const some = userIds.slice(start, start + MAX_AT_ONCE);
    await transaction(async (tx) => {
      const changed: { userId: UserId; policy: TopicPolicy }[] = [];
      for (const userId of some) {
        const user = await users.lock(tx.db, realmId, userId);
        const [old, target] = [from, to].map(({ stream, topic }) => ({ userId, streamId: stream.id, topic }));
        const before = await userTopics.policyOf(tx.db, old!);
        if (!user || before === TOPIC_POLICY.none) continue;
        await userTopics.set(tx.db, old!, TOPIC_POLICY.none, updatedAt);
        const [own] = await subscriptions.among(tx.db, [to.stream.id], [userId]);
        // Nobody learns from their own list what a stream that is hidden from them is called, or its topics.
        const isShown = maySee(user, to.stream, own?.isActive === true);
        const policy = isShown
          ? mergedPolicy(before, await userTopics.policyOf(tx.db, target!), isMerge)
          : TOPIC_POLICY.none;
        if (isShown) await userTopics.set(tx.db, target!, policy, updatedAt);
        changed.push({ userId, policy });
        const muted = mutedTopicsOf(await runRead(tx.db, userTopics.ofUserRead(userId)));
        tx.deliver(eventDelivery(realmId, [userId], { type: 'muted_topics', muted_topics: muted }));
      }
      for (const [policy, group] of groupBy(changed, (each) => each.policy)) {
        const ids = group.map(({ userId }) => userId);
        publish(tx, { realmId, updatedAt }, ids, from, TOPIC_POLICY.none);
        // Whoever has none at the new place had none there before.
        if (policy !== TOPIC_POLICY.none) publish(tx, { realmId, updatedAt }, ids, to, policy);
      }
    });
  }
}

// oxlint-disable-next-line max-params -- the transaction, the organisation and time, its users, the topic and its policy
function publish(
  tx: Tx,
  { realmId, updatedAt }: { readonly realmId: RealmId; readonly updatedAt: number },
  userIds: readonly UserId[],
  { stream, topic }: Place,
  policy: TopicPolicy,
): void {
  const wire = wireUserTopic({ streamId: stream.id, topic, updatedAt, policy });
  tx.deliver(eventDelivery(realmId, userIds, { type: 'user_topic', ...wire }));
}
