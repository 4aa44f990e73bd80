/** The header of a view: where one is, what can be done with it, and search. */
import { Head } from '../../shared/shell/head';
import { t } from '../../shared/texts/texts';
import { IconButton } from '../../shared/ui/icon-button';
import { tell } from '../../shared/ui/toasts';
import { setSubscription } from '../data/actions';
import { pathOf, type Narrow } from '../data/narrow';
import { useChat } from '../data/store';
import { PlaceLink } from '../side/place-link';
import { PanelButton } from '../people/panel-button';
import { PresenceDot } from '../people/presence-dot';
import { StreamIcon } from '../side/stream-icon';
import { aboutOf } from '../recent/last-words';
import { SearchBox } from './search-box';
import { StreamMenu, ViewMenu } from './stream-menu';
import { titleOf } from './title';
import classes from './view.module.css';

export function ViewHead({ narrow }: { narrow: Narrow }) {
  const streamId = 'streamId' in narrow ? narrow.streamId : 0;
  return (
    <Head>
      <Title narrow={narrow} />
      {streamId > 0 && <StreamButtons streamId={streamId} />}
      <PanelButton streamId={streamId} />
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
  const about = stream ? aboutOf(stream) : '';
  return (
    <div className={classes.title}>
      {stream && <StreamIcon stream={stream} color={color} size={20} />}
      {narrow.kind === 'private' && narrow.userIds.length === 1 && <PresenceDot id={narrow.userIds[0]!} />}
      <h1 title={title} data-topic={narrow.kind === 'topic' || undefined}>
        {narrow.kind === 'topic' && stream ? (
          <>
            <PlaceLink href={pathOf({ kind: 'stream', streamId })}>{stream.name}</PlaceLink>
            <span className={classes.crumb}>›</span>
            <span className={classes.topic}>{narrow.topic}</span>
          </>
        ) : (
          title
        )}
      </h1>
      {about !== '' && (
        <span className={classes.description} title={about}>
          {about}
        </span>
      )}
    </div>
  );
}

/** For what is done often; the menu has everything. */
function StreamButtons({ streamId }: { streamId: number }) {
  const own = useChat((state) => state.subscriptions.get(streamId));
  if (!own) return null;
  const { is_muted: isMuted, pin_to_top: isPinned } = own;
  return (
    <span className={classes.roomy}>
      <IconButton
        icon="pin"
        label={t(isPinned ? 'stream.unpin' : 'stream.pin')}
        filled={isPinned}
        onClick={() => tell(setSubscription(streamId, 'pin_to_top', !isPinned))}
      />
      <IconButton
        icon={isMuted ? 'mute' : 'bell'}
        label={t(isMuted ? 'stream.unmute' : 'stream.mute')}
        onClick={() => tell(setSubscription(streamId, 'is_muted', !isMuted))}
      />
    </span>
  );
}
