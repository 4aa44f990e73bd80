/** Which messages are mailed and pushed to whom, unless they have seen them. */
import { TRAITS } from '../messages/message';
import type { MessageRef } from '../reading/read-state';
import { isMutedBy, TOPIC_POLICY, type TopicPolicy } from '../streams/topic-policy';
import type { UserId } from '../users/user';
import { settingOf, type StoredSettings } from '../users/user-settings';
import type { Missed } from './missed-messages';

export const wantsMail = (settings: StoredSettings): boolean =>
  settingOf(settings, 'enable_offline_email_notifications') === true;

export const wantsPushes = (settings: StoredSettings): boolean =>
  settingOf(settings, 'enable_offline_push_notifications') === true;

/** Whether they also want pushes while they are active. */
export const wantsPushesOnline = (settings: StoredSettings): boolean =>
  settingOf(settings, 'enable_online_push_notifications') === true;

export interface StreamMessage extends MessageRef {
  readonly topicId: number;
  /** In Unix seconds. */
  readonly sentAt: number;
}

export interface Subscriber {
  readonly streamId: number;
  readonly userId: UserId;
  readonly isMuted: boolean;
  /** Null: as the user's settings say. */
  readonly push: boolean | null;
  readonly wildcard: boolean | null;
  readonly settings: StoredSettings;
}

export interface TopicPolicyOf {
  readonly userId: UserId;
  readonly topicId: number;
  readonly policy: TopicPolicy;
  readonly settings: StoredSettings;
}

/** A message that a user is to be told of, and how. */
export interface Wanted extends Missed {
  readonly settings: StoredSettings;
  readonly byMail: boolean;
  readonly byPush: boolean;
}

/** Private messages and mentions by name. */
export const wantedPersonally = (found: Missed & { readonly settings: StoredSettings }): Wanted => ({
  ...found,
  byMail: wantsMail(found.settings),
  byPush: wantsPushes(found.settings),
});

/** Followed topics, streams with pushes on, and mentions of everybody. Nobody is told of what they muted. */
export function wantedInStreams(
  messages: readonly (StreamMessage & Pick<Missed, 'realmId'>)[],
  subscribers: readonly Subscriber[],
  policies: readonly TopicPolicyOf[],
): Wanted[] {
  const policyOf = new Map(policies.map(({ userId, topicId, policy }) => [`${userId}/${topicId}`, policy]));
  return messages.flatMap((message) => {
    const { senderId, topicId } = message;
    const following = policies.filter((each) => each.topicId === topicId && each.policy === TOPIC_POLICY.followed);
    const listening = subscribers.filter((each) => {
      const policy = policyOf.get(`${each.userId}/${topicId}`);
      return each.streamId === message.recipientId && !isMutedBy(policy, each.isMuted) && isCalled(each, message);
    });
    return [...following, ...listening]
      .filter(({ userId }) => userId !== senderId)
      .map(({ userId, settings }) => ({ ...message, userId, settings, byMail: false, byPush: wantsPushes(settings) }));
  });
}

const isCalled = ({ push, wildcard, settings }: Subscriber, { traits }: StreamMessage): boolean =>
  (push ?? settingOf(settings, 'enable_stream_push_notifications') === true) ||
  ((traits & TRAITS.wildcard) !== 0 && (wildcard ?? settingOf(settings, 'wildcard_mentions_notify') === true));
