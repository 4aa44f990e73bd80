/** A topic in the side bar. */
import { Count } from '../../shared/shell/count';
import { pathOf } from '../data/narrow';
import { topicKey, useChat } from '../data/store';
import { countOf, streamConversation } from '../data/unread';
import { PlaceLink } from './place-link';
import { countsOf } from './unread-total';
import nav from '../../shared/shell/nav.module.css';
import classes from './chat-side.module.css';

interface TopicRowProps {
  readonly streamId: number;
  readonly topic: string;
  readonly isCurrent: boolean;
}

export function TopicRow({ streamId, topic, isCurrent }: TopicRowProps) {
  const conversation = streamConversation(streamId, topic);
  const count = useChat((state) => countOf(state.unread, conversation));
  const isMention = useChat((state) => countsOf(state).mentioned.has(conversation));
  const isMuted = useChat((state) => state.mutedTopics.has(topicKey(streamId, topic)));
  return (
    <li>
      <div className={classes.row}>
        <PlaceLink
          href={pathOf({ kind: 'topic', streamId, topic })}
          className={nav.entry}
          data-muted={isMuted || undefined}
          data-unread={(count > 0 && !isMuted) || undefined}
          aria-current={isCurrent ? 'page' : undefined}
        >
          <span className={nav.label}>{topic}</span>
          <Count count={count} isQuiet={!isMention} />
        </PlaceLink>
      </div>
    </li>
  );
}
