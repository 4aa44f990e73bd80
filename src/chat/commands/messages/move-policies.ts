/** Where a whole topic moves, those who muted, unmuted or follow it take that along, if they may see where it goes. */
import { groupBy } from '../../../kernel/group';
import type { Kernel } from '../../../kernel/kernel';
import { runRead, together } from '../../../kernel/mysql/read-packet';
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
import * as accounts from '../../store/users/accounts';
import * as people from '../../store/users/people';

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
    await transaction((tx) => moveSome(tx, { realmId, from, to, isMerge, updatedAt }, some));
  }
}

interface Move {
  readonly realmId: RealmId;
  readonly from: Place;
  readonly to: Place;
  readonly isMerge: boolean;
  readonly updatedAt: number;
}

interface Changed {
  readonly userId: UserId;
  readonly policy: TopicPolicy;
  /** Whether their list of muted topics is another one afterwards. */
  readonly isListed: boolean;
}

async function moveSome(tx: Tx, move: Move, userIds: readonly UserId[]): Promise<void> {
  const { realmId, from, to, updatedAt } = move;
  await accounts.lock(tx.db, userIds);
  const changed = await plan(tx, move, userIds);
  await userTopics.removeOf(tx.db, userIds, { streamId: from.stream.id, topic: from.topic });
  for (const [policy, group] of groupBy(changed, (each) => each.policy)) {
    const ids = group.map(({ userId }) => userId);
    publish(tx, move, ids, from, TOPIC_POLICY.none);
    // Whoever has none at the new place had none there before.
    if (policy === TOPIC_POLICY.none) continue;
    await userTopics.setOf(tx.db, ids, { streamId: to.stream.id, topic: to.topic }, { policy, updatedAt });
    publish(tx, move, ids, to, policy);
  }
  const listed = changed.filter(({ isListed }) => isListed);
  const lists = await runRead(tx.db, together(listed.map(({ userId }) => userTopics.ofUserRead(userId))));
  for (const [index, { userId }] of listed.entries()) {
    const muted = mutedTopicsOf(lists[index]!);
    tx.deliver(eventDelivery(realmId, [userId], { type: 'muted_topics', muted_topics: muted }));
  }
}

/** What each user has at the new place afterwards. */
async function plan(tx: Tx, { realmId, from, to, isMerge }: Move, userIds: readonly UserId[]): Promise<Changed[]> {
  const [before, there] = [
    await userTopics.policiesOf(tx.db, userIds, { streamId: from.stream.id, topic: from.topic }),
    await userTopics.policiesOf(tx.db, userIds, { streamId: to.stream.id, topic: to.topic }),
  ];
  const own = await subscriptions.among(tx.db, [to.stream.id], userIds);
  const subscribed = new Set(own.filter(({ isActive }) => isActive).map(({ userId }) => userId));
  const found = (await people.byIds(tx.db, realmId, userIds)).filter(({ id }) => before.has(id));
  return found.map((user) => {
    const [moved, target] = [before.get(user.id)!, there.get(user.id) ?? TOPIC_POLICY.none];
    // Nobody learns from their own list what a stream that is hidden from them is called, or its topics.
    const isShown = maySee(user, to.stream, subscribed.has(user.id));
    const policy = isShown ? mergedPolicy(moved, target, isMerge) : TOPIC_POLICY.none;
    return { userId: user.id, policy, isListed: [moved, target].includes(TOPIC_POLICY.muted) };
  });
}

// oxlint-disable-next-line max-params -- the transaction, what moves, whose policy it is, the topic and the policy
function publish(
  tx: Tx,
  { realmId, updatedAt }: Move,
  userIds: readonly UserId[],
  { stream, topic }: Place,
  policy: TopicPolicy,
): void {
  const wire = wireUserTopic({ streamId: stream.id, topic, updatedAt, policy });
  tx.deliver(eventDelivery(realmId, userIds, { type: 'user_topic', ...wire }));
}
