/** How much the reader is told of, and in which ways: of a stream, of a topic, and where nothing else is chosen. */
import { FOLLOWED, setting } from '../data/store';
import type { Subscription, TopicPolicy } from '../data/wire';

export const WAYS = ['desktop', 'audible', 'push', 'email'] as const;
export type Way = (typeof WAYS)[number];
export type Level = 'all' | 'mentions' | 'none';

type Ways = Readonly<Record<Way, boolean>>;
const waysOf = (isOn: (way: Way) => boolean): Ways => ({
  desktop: isOn('desktop'),
  audible: isOn('audible'),
  push: isOn('push'),
  email: isOn('email'),
});

/** What streams and topics begin with, each group by the names of its settings. */
export type Group = 'personal' | 'followed' | 'streams';

const PERSONAL: Readonly<Record<Way, string>> = {
  desktop: 'enable_desktop_notifications',
  audible: 'enable_sounds',
  push: 'enable_offline_push_notifications',
  email: 'enable_offline_email_notifications',
};

export function settingName(group: Group, way: Way): string {
  if (group === 'personal') return PERSONAL[way];
  return `enable_${group === 'followed' ? 'followed_topic' : 'stream'}_${way}_notifications`;
}

/** Of the three groups, as servers begin with them. */
export const isGroupOn = (group: Group, way: Way): boolean => setting(settingName(group, way), group !== 'streams');
export const groupWays = (group: Group): Ways => waysOf((way) => isGroupOn(group, way));

export const levelOf = (isMuted: boolean, ways: Ways): Level =>
  isMuted ? 'none' : WAYS.some((way) => ways[way]) ? 'all' : 'mentions';

export const streamWays = (own: Subscription): Ways => waysOf((way) => own[`${way}_notifications`]);
export const streamLevel = (own: Subscription): Level => levelOf(own.is_muted, streamWays(own));

/** Whether a stream is not told of as others are. */
export const isOwnChoice = (own: Subscription): boolean =>
  own.is_muted || WAYS.some((way) => own[`${way}_notifications`] !== isGroupOn('streams', way));

/** In the order in which they are offered. Unmuting a topic makes sense in a muted stream only. */
export const topicPolicies = (policy: TopicPolicy, isStreamMuted: boolean): readonly TopicPolicy[] =>
  isStreamMuted || policy === 2 ? [FOLLOWED, 2, 0, 1] : [FOLLOWED, 0, 1];

/** What a topic is told of by, which it has from its stream or from the topics that are followed. */
export function topicWays(policy: TopicPolicy, own: Subscription | undefined): Ways {
  const isMuted = policy === 1 || (policy === 0 && own?.is_muted === true);
  if (isMuted) return waysOf(() => false);
  const ofStream = own ? streamWays(own) : waysOf(() => false);
  return policy === FOLLOWED ? waysOf((way) => ofStream[way] || isGroupOn('followed', way)) : ofStream;
}
