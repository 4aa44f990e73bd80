/** The recipients of a message that is written in a view. */
import { t } from '../../shared/texts/texts';
import type { Narrow } from '../data/narrow';
import { namesOf, type ChatState } from '../data/store';
import type { Target } from '../drafts/drafts';

export const toPeople = (userIds: readonly number[]): Target => ({ type: 'private', streamId: 0, topic: '', userIds });
export const toTopic = (streamId: number, topic: string): Target => ({ type: 'stream', streamId, topic, userIds: [] });

export function targetOf(narrow: Narrow): Target | undefined {
  if (narrow.kind === 'topic') return toTopic(narrow.streamId, narrow.topic);
  if (narrow.kind === 'stream') return toTopic(narrow.streamId, '');
  if (narrow.kind === 'private') return toPeople(narrow.userIds);
  return undefined;
}

type Names = Pick<ChatState, 'streams' | 'people'>;

/** `#engineering › alerts`, or names. Undefined if nobody is chosen yet. */
export function nameOfTarget({ type, streamId, topic, userIds }: Target, { streams, people }: Names) {
  if (type === 'private') return userIds.length > 0 ? namesOf(people, userIds) : undefined;
  const stream = streams.get(streamId);
  if (!stream) return undefined;
  return topic.trim() === '' ? `#${stream.name}` : `#${stream.name} › ${topic.trim()}`;
}

export function placeholderFor(target: Target, names: Names): string {
  const place = nameOfTarget(target, names);
  return place === undefined ? t('compose.placeholder') : t('compose.messageTo', { place });
}
