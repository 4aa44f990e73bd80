/** What can be done with the view on the screen. */
import { navigate } from 'wouter/use-browser-location';
import { t } from '../../shared/texts/texts';
import { IconButton } from '../../shared/ui/icon-button';
import { MenuButton, type MenuEntry } from '../../shared/ui/menu-button';
import { tell } from '../../shared/ui/toasts';
import { muteTopic, setSubscription, subscribe, unsubscribe } from '../data/actions';
import type { Narrow } from '../data/narrow';
import { topicKey, useChat } from '../data/store';
import { conversationKey, streamConversation } from '../data/unread';
import type { Subscription } from '../data/wire';
import { showDialog } from '../dialogs/dialogs';
import { markConversationRead, markEverythingRead, markWholeStreamRead } from '../reading/mark-as-read';

const dateEntry = (): MenuEntry => ({
  icon: 'history',
  text: t('dateJump.title'),
  run: () => showDialog({ kind: 'date' }),
});

export function ViewMenu({ narrow }: { narrow: Narrow }) {
  const key = conversationKey(narrow);
  const markRead = key === undefined ? markEverythingRead : () => markConversationRead(key);
  const text = t(key === undefined ? 'action.markAllRead' : 'topic.markRead');
  const isMarkable = key !== undefined || narrow.kind === 'all';
  return (
    <MenuButton
      position="bottom-end"
      width={270}
      button={<IconButton icon="more" label={t('view.menu')} />}
      entries={[...(isMarkable ? [{ icon: 'check' as const, text, run: () => tell(markRead()) }] : []), dateEntry()]}
    />
  );
}

export function StreamMenu({ narrow }: { narrow: Extract<Narrow, { streamId: number }> }) {
  const { streamId } = narrow;
  const stream = useChat((state) => state.streams.get(streamId));
  const own = useChat((state) => state.subscriptions.get(streamId));
  const topic = narrow.kind === 'topic' ? narrow.topic : undefined;
  const isTopicMuted = useChat((state) => topic !== undefined && state.mutedTopics.has(topicKey(streamId, topic)));
  if (!stream) return null;
  return (
    <MenuButton
      position="bottom-end"
      width={270}
      button={<IconButton icon="more" label={t('view.menu')} />}
      entries={[
        ...(topic === undefined ? [] : topicEntries(streamId, topic, isTopicMuted)),
        { icon: 'check', text: t('stream.markRead'), run: () => tell(markWholeStreamRead(streamId)) },
        dateEntry(),
        ...(own ? ownEntries(own) : []),
        { icon: 'settings', text: t('stream.settings'), run: () => navigate(`/streams/${streamId}`) },
        {
          icon: own ? 'door' : 'plus',
          text: t(own ? 'stream.unsubscribe' : 'stream.subscribe'),
          run: () => tell(own ? unsubscribe(stream.name) : subscribe([stream.name])),
        },
      ]}
    />
  );
}

const topicEntries = (streamId: number, topic: string, isMuted: boolean): (MenuEntry | 'line')[] => [
  {
    icon: 'check',
    text: t('topic.markRead'),
    run: () => tell(markConversationRead(streamConversation(streamId, topic))),
  },
  {
    icon: 'mute',
    text: t(isMuted ? 'topic.unmute' : 'topic.mute'),
    run: () => tell(muteTopic(streamId, topic, !isMuted)),
  },
  'line',
];

const ownEntries = ({ stream_id, is_muted, pin_to_top }: Subscription): MenuEntry[] => [
  {
    icon: 'mute',
    text: t(is_muted ? 'stream.unmute' : 'stream.mute'),
    run: () => tell(setSubscription(stream_id, 'is_muted', !is_muted)),
  },
  {
    icon: 'pin',
    text: t(pin_to_top ? 'stream.unpin' : 'stream.pin'),
    run: () => tell(setSubscription(stream_id, 'pin_to_top', !pin_to_top)),
  },
];
