/** The header of a view: title, actions on the whole view, and search. */
import { navigate } from 'wouter/use-browser-location';
import { Head } from '../../shared/shell/head';
import { t } from '../../shared/texts/texts';
import { IconButton } from '../../shared/ui/icon-button';
import { MenuButton, type MenuEntry } from '../../shared/ui/menu-button';
import { tell } from '../../shared/ui/toasts';
import { muteTopic, setSubscription, subscribe, unsubscribe } from '../data/actions';
import { markConversationRead, markEverythingRead, markWholeStreamRead } from '../reading/mark-as-read';
import { pathOf, type Narrow } from '../data/narrow';
import { topicKey, useChat } from '../data/store';
import { conversationKey, streamConversation } from '../data/unread';
import { showDialog } from '../dialogs/dialogs';
import type { Subscription } from '../data/wire';
import { PlaceLink } from '../side/place-link';
import { PresenceDot } from '../people/presence-dot';
import { StreamIcon } from '../side/stream-icon';
import { SearchBox } from './search-box';
import { titleOf } from './title';
import classes from './view.module.css';

export function ViewHead({ narrow }: { narrow: Narrow }) {
  return (
    <Head>
      <Title narrow={narrow} />
      <SearchBox query={narrow.kind === 'search' ? narrow.query : ''} />
      {'streamId' in narrow ? <StreamMenu narrow={narrow} /> : <ViewMenu narrow={narrow} />}
    </Head>
  );
}

function Title({ narrow }: { narrow: Narrow }) {
  const people = useChat((state) => state.people);
  const streams = useChat((state) => state.streams);
  const streamId = 'streamId' in narrow ? narrow.streamId : 0;
  const stream = streams.get(streamId);
  const color = useChat((state) => state.subscriptions.get(streamId)?.color);
  const title = titleOf(narrow, { people, streams });
  return (
    <div className={classes.title}>
      {stream && <StreamIcon stream={stream} color={color} size={20} />}
      {narrow.kind === 'private' && narrow.userIds.length === 1 && <PresenceDot id={narrow.userIds[0]!} />}
      <h1 title={title}>
        {narrow.kind === 'topic' && stream ? (
          <>
            <PlaceLink href={pathOf({ kind: 'stream', streamId })}>{stream.name}</PlaceLink>
            <span className={classes.crumb}>›</span>
            {narrow.topic}
          </>
        ) : (
          title
        )}
      </h1>
      {narrow.kind === 'stream' && <span className={classes.description}>{stream?.description}</span>}
    </div>
  );
}

const dateEntry = (): MenuEntry => ({
  icon: 'history',
  text: t('dateJump.title'),
  run: () => showDialog({ kind: 'date' }),
});

function ViewMenu({ narrow }: { narrow: Narrow }) {
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

function StreamMenu({ narrow }: { narrow: Extract<Narrow, { streamId: number }> }) {
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
