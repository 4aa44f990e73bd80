/** The topics of the current stream, below it in the side bar. */
import { useEffect, useState } from 'react';
import { t } from '../../shared/texts/texts';
import type { Narrow } from '../data/narrow';
import { useChat } from '../data/store';
import { loadTopics } from '../data/topics';
import { TopicRow } from './topic-row';
import classes from './chat-side.module.css';

const FEW = 6;

export function TopicList({ streamId, current }: { streamId: number; current: Narrow }) {
  const [isWhole, setWhole] = useState(false);
  const topics = useChat((state) => state.topics.get(streamId));
  useEffect(() => void loadTopics(streamId), [streamId, topics]);
  const here = current.kind === 'topic' ? current.topic.toLowerCase() : '';
  const shown = topics?.filter(({ name }, index) => isWhole || index < FEW || name.toLowerCase() === here);
  return (
    <ul className={classes.topics} aria-label={t('side.topics')}>
      {shown?.map(({ name }) => (
        <TopicRow key={name.toLowerCase()} streamId={streamId} topic={name} isCurrent={name.toLowerCase() === here} />
      ))}
      {topics && shown && topics.length > shown.length && (
        <li>
          <button type="button" className={classes.more} onClick={() => setWhole(true)}>
            {t('side.moreTopics', { count: topics.length - shown.length })}
          </button>
        </li>
      )}
    </ul>
  );
}
