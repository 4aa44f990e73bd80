/** The menu of a topic's row, and the marks of resolved and followed topics. */
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { RowMenu } from '../../shared/menus/row-menu';
import { topicKey, useChat } from '../data/store';
import { topicEntries } from './topic-entries';
import classes from './topic-menu.module.css';

interface TopicProps {
  readonly streamId: number;
  readonly topic: string;
}

export function TopicMenu({ streamId, topic }: TopicProps) {
  return <RowMenu label={t('topic.menu', { topic })} entries={() => topicEntries(streamId, topic)} />;
}

/** Nothing for a topic that is not followed. */
export function FollowedMark({ streamId, topic }: TopicProps) {
  const isFollowed = useChat((state) => state.userTopics.get(topicKey(streamId, topic))?.visibility_policy === 3);
  if (!isFollowed) return null;
  return (
    <span className={classes.mark} role="img" aria-label={t('topic.followed')} title={t('topic.followed')}>
      <Icon name="follow" size={14} />
    </span>
  );
}
