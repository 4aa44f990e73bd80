/** Changes how much the reader is told of, and in which ways. */
import { api } from '../../shared/http/request';
import type { TextKey } from '../../shared/texts/texts';
import type { Subscription } from '../data/wire';
import { levelOf, settingName, streamWays, WAYS, type Group, type Level, type Way } from './levels';

/** In the order of their numbers. */
export const POLICIES = ['topics.policy0', 'topics.policy1', 'topics.policy2', 'topics.policy3'] as const;
export const LEVELS: Readonly<Record<Level, TextKey>> = {
  all: 'notices.all',
  mentions: 'notices.mentions',
  none: 'notices.none',
};

/** What "all messages" begins with. A mail or a sound for every message is chosen apart. */
const USUAL: ReadonlySet<Way> = new Set(['desktop', 'push']);

export const setGroupWay = (group: Group, way: Way, isOn: boolean) =>
  api.patch('/settings/notifications', { [settingName(group, way)]: isOn });

/** All of a group's ways at once: in the page and by push, or none. */
export const setGroupLevel = (group: Group, isAll: boolean) =>
  api.patch(
    '/settings/notifications',
    Object.fromEntries(WAYS.map((way) => [settingName(group, way), isAll && USUAL.has(way)])),
  );

const changeStream = (streamId: number, changes: Readonly<Record<string, boolean>>) =>
  api.post('/users/me/subscriptions/properties', {
    subscription_data: Object.entries(changes).map(([property, value]) => ({ stream_id: streamId, property, value })),
  });

export const setStreamWay = (streamId: number, way: Way, isOn: boolean) =>
  changeStream(streamId, { [`${way}_notifications`]: isOn });

export function setStreamLevel(own: Subscription, level: Level) {
  const { stream_id: streamId } = own;
  if (level === 'none') return changeStream(streamId, { is_muted: true });
  const ways = streamWays(own);
  const isLoud = levelOf(false, ways) === 'all';
  const wanted = (way: Way) => level === 'all' && (isLoud ? ways[way] : USUAL.has(way));
  return changeStream(streamId, {
    is_muted: false,
    ...Object.fromEntries(WAYS.map((way) => [`${way}_notifications`, wanted(way)])),
  });
}
