/** Which messages are mailed and pushed to whom, unless they have seen them. */
import { TRAITS } from '../messages/message';
import type { MessageRef } from '../reading/read-state';
import { isMutedBy, TOPIC_POLICY, type TopicPolicy } from '../streams/topic-policy';
import { isQuietAt, letsPersonalThrough } from '../users/quiet-hours';
import type { UserId } from '../users/user';
import { settingOf, type StoredSettings } from '../users/user-settings';
import type { Missed } from './missed-messages';

const isOn = (settings: StoredSettings, name: string): boolean => settingOf(settings, name) === true;

/** Mail about private messages and mentions. */
export const wantsMail = (settings: StoredSettings): boolean => isOn(settings, 'enable_offline_email_notifications');

/** The settings of a user that have missed messages mailed. A subscription may have one of its own. */
export const MAIL_SETTINGS = [
  'enable_offline_email_notifications',
  'enable_followed_topic_email_notifications',
  'enable_stream_email_notifications',
] as const;

/** What is still mailed to a user who has changed these since, or that of streams. */
export const stillMailed =
  (settings: StoredSettings, mailedStreams: ReadonlySet<number>) =>
  ({ topicId, recipientId }: MessageRef): boolean =>
    topicId === null
      ? wantsMail(settings)
      : mailedStreams.has(recipientId) || MAIL_SETTINGS.some((name) => isOn(settings, name));

/** Whether they also want pushes while they are active. */
export const wantsPushesOnline = (settings: StoredSettings): boolean =>
  isOn(settings, 'enable_online_push_notifications');

export interface StreamMessage extends MessageRef {
  readonly topicId: number;
  /** In Unix seconds. */
  readonly sentAt: number;
}

/** Who is told, and what they want. */
export interface Reader {
  readonly userId: UserId;
  readonly settings: StoredSettings;
  readonly timezone: string;
}

export interface Subscriber extends Reader {
  readonly streamId: number;
  readonly isMuted: boolean;
  /** Null: as the user's settings say. */
  readonly email: boolean | null;
  readonly push: boolean | null;
  readonly wildcard: boolean | null;
}

export interface TopicPolicyOf extends Reader {
  readonly topicId: number;
  readonly policy: TopicPolicy;
}

/** A message that a user is to be told of, and how. */
export interface Wanted extends Missed, Reader {
  readonly isPersonal: boolean;
  readonly byMail: boolean;
  readonly byPush: boolean;
}

/** Private messages and mentions by name. */
export const wantedPersonally = (found: Missed & Reader): Wanted => ({
  ...found,
  isPersonal: true,
  byMail: wantsMail(found.settings),
  byPush: isOn(found.settings, 'enable_offline_push_notifications'),
});

/** Followed topics, streams whose messages somebody wants, and mentions of everybody. Nobody is told of what they muted. */
export function wantedInStreams(
  messages: readonly (StreamMessage & Pick<Missed, 'realmId'>)[],
  subscribers: readonly Subscriber[],
  policies: readonly TopicPolicyOf[],
): Wanted[] {
  const policyOf = new Map(policies.map(({ userId, topicId, policy }) => [`${userId}/${topicId}`, policy]));
  return messages.flatMap((message) => {
    const { senderId, topicId, recipientId } = message;
    const following = policies
      .filter((each) => each.topicId === topicId && each.policy === TOPIC_POLICY.followed)
      .map((each) => ({ ...each, ...followerIsTold(each, message) }));
    const listening = subscribers
      .filter(({ streamId, userId, isMuted }) => {
        return streamId === recipientId && !isMutedBy(policyOf.get(`${userId}/${topicId}`), isMuted);
      })
      .map((each) => ({ ...each, ...subscriberIsTold(each, message) }));
    return [...following, ...listening]
      .filter(({ userId, byMail, byPush }) => userId !== senderId && (byMail || byPush))
      .map(({ userId, settings, timezone, byMail, byPush }) => {
        return { ...message, userId, settings, timezone, isPersonal: false, byMail, byPush };
      });
  });
}

type Ways = Pick<Wanted, 'byMail' | 'byPush'>;

export const isToAll = ({ traits }: Pick<StreamMessage, 'traits'>): boolean => (traits & TRAITS.wildcard) !== 0;

const followerIsTold = ({ settings }: Reader, message: StreamMessage): Ways => ({
  byMail: isOn(settings, 'enable_followed_topic_email_notifications'),
  byPush:
    isOn(settings, 'enable_followed_topic_push_notifications') ||
    (isToAll(message) && isOn(settings, 'enable_followed_topic_wildcard_mentions_notify')),
});

const subscriberIsTold = ({ email, push, wildcard, settings }: Subscriber, message: StreamMessage): Ways => ({
  byMail: email ?? isOn(settings, 'enable_stream_email_notifications'),
  byPush:
    (push ?? isOn(settings, 'enable_stream_push_notifications')) ||
    (isToAll(message) && (wildcard ?? isOn(settings, 'wildcard_mentions_notify'))),
});

/** Whether a mention of everybody is for them, by their settings. */
function isCalled({ isMuted, wildcard, settings }: Subscriber, policy: TopicPolicy | undefined): boolean {
  const byStream = !isMutedBy(policy, isMuted) && (wildcard ?? isOn(settings, 'wildcard_mentions_notify'));
  const follows = policy === TOPIC_POLICY.followed;
  return byStream || (follows && isOn(settings, 'enable_followed_topic_wildcard_mentions_notify'));
}

export type CalledByTopic = Missed & { readonly topicId: number };

/** Mentions of all who take part in a topic are for them as those of everybody are for all. */
export function wantedByTopic(
  called: readonly (CalledByTopic & Subscriber)[],
  policies: readonly TopicPolicyOf[],
): Wanted[] {
  const policyOf = new Map(policies.map(({ userId, topicId, policy }) => [`${userId}/${topicId}`, policy]));
  return called
    .filter((each) => isCalled(each, policyOf.get(`${each.userId}/${each.topicId}`)))
    .map((each) => ({ ...each, isPersonal: false, byMail: wantsMail(each.settings), byPush: true }));
}

/** Those of these subscribers to whom a mention of everybody is mailed, as one by name is. */
export function mailedAsCalled(
  message: StreamMessage & Pick<Missed, 'realmId'>,
  subscribers: readonly Subscriber[],
  policies: readonly TopicPolicyOf[],
): Missed[] {
  const policyOf = new Map(policies.map(({ userId, policy }) => [userId, policy]));
  const isFor = (each: Subscriber): boolean => wantsMail(each.settings) && isCalled(each, policyOf.get(each.userId));
  return subscribers
    .filter((each) => each.userId !== message.senderId && isFor(each))
    .map(({ userId }) => ({ ...message, userId }));
}

/** Whether quiet hours hold back the push. It is not sent later: the message stays unread. */
export const isHeldBack = ({ settings, timezone, sentAt, isPersonal }: Wanted): boolean =>
  !(isPersonal && letsPersonalThrough(settings)) && isQuietAt(settings, timezone, new Date(sentAt * 1000));
