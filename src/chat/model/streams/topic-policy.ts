/** How a user wants to hear of a topic, in the numbers of the wire format, and what follows for its messages. */
import type { Wire } from '../../../kernel/text/wire';
import type { userTopic } from '../answers/streams';
import type { StreamId } from './stream';

export const TOPIC_POLICY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type TopicPolicy = (typeof TOPIC_POLICY)[keyof typeof TOPIC_POLICY];

/** The policies of a user's topics by their ids. A topic that is missing has none of its own. */
export type TopicPolicies = ReadonlyMap<number, TopicPolicy>;

export const isTopicPolicy = (value: number): value is TopicPolicy =>
  Object.values(TOPIC_POLICY).includes(value as TopicPolicy);

export interface UserTopic {
  readonly streamId: StreamId;
  readonly streamName: string;
  readonly topic: string;
  readonly policy: TopicPolicy;
  readonly updatedAt: number;
}

/** For clients of Zulip 2.1: the names of stream and topic. */
export const mutedTopicsOf = (topics: readonly UserTopic[]): [string, string][] =>
  topics.filter(({ policy }) => policy === TOPIC_POLICY.muted).map(({ streamName, topic }) => [streamName, topic]);

export const wireUserTopic = (topic: Omit<UserTopic, 'streamName'>): Wire<typeof userTopic> => ({
  stream_id: topic.streamId,
  topic_name: topic.topic,
  last_updated: topic.updatedAt,
  visibility_policy: topic.policy,
});

const MORE_VISIBLE: readonly TopicPolicy[] = [1, 0, 2, 3];

/** For a topic that moves to another one: where that had messages, the policy that shows more of them counts. */
export const mergedPolicy = (moved: TopicPolicy, target: TopicPolicy, isMerge: boolean): TopicPolicy =>
  isMerge && MORE_VISIBLE.indexOf(target) > MORE_VISIBLE.indexOf(moved) ? target : moved;

/** Whether a topic is muted, by itself or with its stream. Unmuting or following it overrides its muted stream. */
export const isMutedBy = (policy: TopicPolicy | undefined, isStreamMuted: boolean): boolean =>
  policy === undefined || policy === TOPIC_POLICY.none ? isStreamMuted : policy === TOPIC_POLICY.muted;
