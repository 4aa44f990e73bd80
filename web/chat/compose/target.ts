/** The recipients of a message that is written in a view. */
import type { Narrow } from '../data/narrow';
import type { Target } from './drafts';

export const toPeople = (userIds: readonly number[]): Target => ({ type: 'private', streamId: 0, topic: '', userIds });
export const toTopic = (streamId: number, topic: string): Target => ({ type: 'stream', streamId, topic, userIds: [] });

export function targetOf(narrow: Narrow): Target | undefined {
  if (narrow.kind === 'topic') return toTopic(narrow.streamId, narrow.topic);
  if (narrow.kind === 'stream') return toTopic(narrow.streamId, '');
  if (narrow.kind === 'private') return toPeople(narrow.userIds);
  return undefined;
}
