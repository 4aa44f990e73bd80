/** What can be done with a conversation from its bar: mark it as read, mute it, resolve it. */
import { t } from '../../shared/texts/texts';
import { IconButton } from '../../shared/ui/icon-button';
import { tell } from '../../shared/ui/toasts';
import { canEditTopic, editMessage, muteTopic } from '../data/actions';
import { markConversationRead } from '../reading/mark-as-read';
import { conversationOf } from '../data/narrow';
import { isInArchive, isTopicMuted, topicKey, useChat } from '../data/store';
import { conversationKey, countOf } from '../data/unread';
import type { Message } from '../data/wire';
import { isResolved, toggledTopic } from '../topics/resolved';
import classes from './recipient-bar.module.css';

const SIZE = 15;

export function BarActions({ message }: { message: Message }) {
  const narrow = useChat((state) => conversationKey(conversationOf(message, state.ownId))!);
  const isUnread = useChat((state) => countOf(state.unread, narrow) > 0);
  return (
    <span className={classes.actions}>
      {isUnread && (
        <IconButton
          icon="eye"
          size={SIZE}
          label={t('topic.markRead')}
          onClick={() => tell(markConversationRead(narrow))}
        />
      )}
      {message.type === 'stream' && !isInArchive(message) && <TopicActions message={message} />}
    </span>
  );
}

function TopicActions({ message }: { message: Message }) {
  const { id, stream_id: streamId = 0, subject } = message;
  const isMuted = useChat((state) => isTopicMuted(state, streamId, topicKey(streamId, subject)));
  return (
    <>
      <IconButton
        icon={isMuted ? 'bell' : 'mute'}
        size={SIZE}
        label={t(isMuted ? 'topic.unmute' : 'topic.mute')}
        onClick={() => tell(muteTopic(streamId, subject, !isMuted))}
      />
      {canEditTopic(message) && (
        <IconButton
          icon="check"
          size={SIZE}
          filled={isResolved(subject)}
          aria-pressed={isResolved(subject)}
          label={t(isResolved(subject) ? 'topic.unresolve' : 'topic.resolve')}
          onClick={() => tell(editMessage(id, { topic: toggledTopic(subject), propagate_mode: 'change_all' }))}
        />
      )}
    </>
  );
}
