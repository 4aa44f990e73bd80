/** Where a whole topic moves, those who muted, unmuted or follow it take that along. */
import { groupBy } from '../../../kernel/group';
import type { Kernel } from '../../../kernel/kernel';
import { runRead } from '../../../kernel/mysql/read-packet';
import { eventDelivery } from '../../model/events/event';
import type { RealmId } from '../../model/organisation/realm';
import type { Stream } from '../../model/streams/stream';
import { mergedPolicy, mutedTopicsOf, TOPIC_POLICY, wireUserTopic } from '../../model/streams/topic-policy';
import type { UserId } from '../../model/users/user';
import * as userTopics from '../../store/streams/user-topics';
import * as users from '../../store/users/users';

interface Place {
  readonly stream: Pick<Stream, 'id'>;
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
    await transaction(async (tx) => {
      const changed: { userId: UserId; policy: ReturnType<typeof mergedPolicy> }[] = [];
      for (const userId of userIds.slice(start, start + MAX_AT_ONCE)) {
        await users.lock(tx.db, realmId, userId);
        const [old, target] = [from, to].map(({ stream, topic }) => ({ userId, streamId: stream.id, topic }));
        const before = await userTopics.policyOf(tx.db, old!);
        if (before === TOPIC_POLICY.none) continue;
        const policy = mergedPolicy(before, await userTopics.policyOf(tx.db, target!), isMerge);
        await userTopics.set(tx.db, old!, TOPIC_POLICY.none, updatedAt);
        await userTopics.set(tx.db, target!, policy, updatedAt);
        changed.push({ userId, policy });
        const muted = mutedTopicsOf(await runRead(tx.db, userTopics.ofUserRead(userId)));
        tx.deliver(eventDelivery(realmId, [userId], { type: 'muted_topics', muted_topics: muted }));
      }
      for (const [policy, group] of groupBy(changed, (each) => each.policy)) {
        const ids = group.map(({ userId }) => userId);
        for (const [place, set] of [
          [from, TOPIC_POLICY.none],
          [to, policy],
        ] as const) {
          const wire = wireUserTopic({ streamId: place.stream.id, topic: place.topic, updatedAt, policy: set });
          tx.deliver(eventDelivery(realmId, ids, { type: 'user_topic', ...wire }));
        }
      }
    });
  }
}
