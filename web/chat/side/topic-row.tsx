/** A topic in the side bar. */
import { Count } from '../../shared/shell/count';
import { MenuRow } from '../../shared/menus/row-menu';
import { pathOf } from '../data/narrow';
import { isTopicMuted, topicKey, useChat } from '../data/store';
import { countOf, streamConversation } from '../data/unread';
import { FollowedMark, TopicMenu } from '../topics/topic-menu';
import { PlaceLink } from './place-link';
import { countsOf } from './unread-total';
import nav from '../../shared/shell/nav.module.css';

interface TopicRowProps {
  readonly streamId: number;
  readonly topic: string;
  readonly isCurrent: boolean;
}

export function TopicRow({ streamId, topic, isCurrent }: TopicRowProps) {
  const conversation = streamConversation(streamId, topic);
  const count = useChat((state) => countOf(state.unread, conversation));
  const isMention = useChat((state) => countsOf(state).mentioned.has(conversation));
  const isMuted = useChat((state) => isTopicMuted(state, streamId, topicKey(streamId, topic)));
  return (
    <li>
      <MenuRow menu={<TopicMenu streamId={streamId} topic={topic} />}>
        <PlaceLink
          href={pathOf({ kind: 'topic', streamId, topic })}
          className={nav.entry}
          data-muted={isMuted || undefined}
          data-unread={(count > 0 && !isMuted) || undefined}
          aria-current={isCurrent ? 'page' : undefined}
        >
          <span className={nav.label}>{topic}</span>
          <FollowedMark streamId={streamId} topic={topic} />
          <Count count={count} isQuiet={!isMention} />
        </PlaceLink>
      </MenuRow>
    </li>
  );
}
