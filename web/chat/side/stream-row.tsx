/** A stream in the side bar. The current one shows its topics. */
import { memo } from 'react';
import { Count } from '../../shared/shell/count';
import { MenuRow } from '../../shared/menus/row-menu';
import { pathOf, type Narrow } from '../data/narrow';
import { useChat } from '../data/store';
import type { Subscription } from '../data/wire';
import { StreamRowMenu } from '../streams/stream-row-menu';
import { PlaceLink } from './place-link';
import { StreamIcon } from './stream-icon';
import { TopicList } from './topic-list';
import { countsOf } from './unread-total';
import nav from '../../shared/shell/nav.module.css';

interface StreamRowProps {
  readonly stream: Subscription;
  /** The current view, if it belongs to this stream. */
  readonly current: Narrow | undefined;
}

/** Memoised, because there may be a thousand rows. */
export const StreamRow = memo(function StreamRow({ stream, current }: StreamRowProps) {
  const { stream_id: streamId, name, is_muted: isMuted } = stream;
  const count = useChat((state) => countsOf(state).streams.get(streamId) ?? 0);
  const isMention = useChat((state) => countsOf(state).mentionedIn.has(streamId));
  return (
    <li>
      <MenuRow menu={<StreamRowMenu streamId={streamId} name={name} />}>
        <PlaceLink
          href={pathOf({ kind: 'stream', streamId })}
          className={nav.entry}
          data-muted={isMuted || undefined}
          data-unread={(count > 0 && !isMuted) || undefined}
          aria-current={current?.kind === 'stream' ? 'page' : undefined}
        >
          <StreamIcon stream={stream} color={stream.color} />
          <span className={nav.label}>{name}</span>
          <Count count={count} isQuiet={!isMention} />
        </PlaceLink>
      </MenuRow>
      {current && <TopicList streamId={streamId} current={current} />}
    </li>
  );
});
