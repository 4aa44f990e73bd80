/** The head of a view: what it shows, what can be done with it as a whole, and the search. */
import { Menu } from '@mantine/core';
import { Link } from 'wouter';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { tell } from '../../shared/ui/toasts';
import { markStreamRead, markTopicRead, muteTopic, setSubscription, subscribe, unsubscribe } from '../data/actions';
import { pathOf, type Narrow } from '../data/narrow';
import { topicKey, useChat } from '../data/store';
import { PresenceDot } from '../shell/presence-dot';
import { StreamIcon } from '../shell/stream-icon';
import { toggleSide } from '../shell/dialogs';
import { SearchBox } from './search-box';
import { titleOf } from './title';
import classes from './view.module.css';

export function ViewHead({ narrow }: { narrow: Narrow }) {
  return (
    <header className={classes.head}>
      <span className={classes.phoneOnly}>
        <IconButton icon="menu" label={t('side.open')} onClick={() => toggleSide(true)} />
      </span>
      <Title narrow={narrow} />
      <SearchBox query={narrow.kind === 'search' ? narrow.query : ''} />
      {'streamId' in narrow && <StreamMenu narrow={narrow} />}
    </header>
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
            <Link href={pathOf({ kind: 'stream', streamId })}>{stream.name}</Link>
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

function StreamMenu({ narrow }: { narrow: Extract<Narrow, { streamId: number }> }) {
  const { streamId } = narrow;
  const stream = useChat((state) => state.streams.get(streamId));
  const own = useChat((state) => state.subscriptions.get(streamId));
  const topic = narrow.kind === 'topic' ? narrow.topic : undefined;
  const isTopicMuted = useChat((state) => topic !== undefined && state.mutedTopics.has(topicKey(streamId, topic)));
  if (!stream) return null;
  return (
    <Menu position="bottom-end" shadow="md" width={270}>
      <Menu.Target>
        <IconButton icon="more" label={t('view.menu')} />
      </Menu.Target>
      <Menu.Dropdown>
        {topic !== undefined && (
          <>
            <Menu.Item
              leftSection={<Icon name="check" size={16} />}
              onClick={() => tell(markTopicRead(streamId, topic))}
            >
              {t('topic.markRead')}
            </Menu.Item>
            <Menu.Item
              leftSection={<Icon name="mute" size={16} />}
              onClick={() => tell(muteTopic(streamId, topic, !isTopicMuted))}
            >
              {t(isTopicMuted ? 'topic.unmute' : 'topic.mute')}
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        <Menu.Item leftSection={<Icon name="check" size={16} />} onClick={() => tell(markStreamRead(streamId))}>
          {t('stream.markRead')}
        </Menu.Item>
        {own && (
          <>
            <Menu.Item
              leftSection={<Icon name="mute" size={16} />}
              onClick={() => tell(setSubscription(streamId, 'is_muted', !own.is_muted))}
            >
              {t(own.is_muted ? 'stream.unmute' : 'stream.mute')}
            </Menu.Item>
            <Menu.Item
              leftSection={<Icon name="pin" size={16} />}
              onClick={() => tell(setSubscription(streamId, 'pin_to_top', !own.pin_to_top))}
            >
              {t(own.pin_to_top ? 'stream.unpin' : 'stream.pin')}
            </Menu.Item>
          </>
        )}
        <Menu.Item component={Link} href={`/streams/${streamId}`} leftSection={<Icon name="settings" size={16} />}>
          {t('stream.settings')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name={own ? 'door' : 'plus'} size={16} />}
          onClick={() => tell(own ? unsubscribe(stream.name) : subscribe([stream.name]))}
        >
          {t(own ? 'stream.unsubscribe' : 'stream.subscribe')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
