/** The title of a view. */
import { t } from '../../shared/texts/texts';
import type { Narrow } from '../data/narrow';
import { namesOf, type ChatState } from '../data/store';

export function titleOf(narrow: Narrow, { people, streams }: Pick<ChatState, 'people' | 'streams'>): string {
  const nameOf = (id: number): string => streams.get(id)?.name ?? t('view.unknownStream');
  switch (narrow.kind) {
    case 'all':
    case 'mentions':
    case 'starred':
    case 'privates':
    case 'recent':
      return t(`view.${narrow.kind}`);
    case 'stream':
      return nameOf(narrow.streamId);
    case 'topic':
      return `${nameOf(narrow.streamId)} › ${narrow.topic}`;
    case 'private':
      return namesOf(people, narrow.userIds);
    case 'search':
      return t('view.search', { query: narrow.query });
  }
}
