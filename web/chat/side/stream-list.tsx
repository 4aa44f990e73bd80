/** The user's subscribed streams, in sections. */
import { useDeferredValue, useMemo } from 'react';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import type { Narrow } from '../data/narrow';
import { useChat } from '../data/store';
import type { Subscription } from '../data/wire';
import { PlaceLink } from './place-link';
import { SideSection } from './side-section';
import { groupOf, inOrder, STREAM_GROUPS, type StreamGroup } from './stream-groups';
import { StreamRow } from './stream-row';
import { countsOf } from './unread-total';
import classes from './chat-side.module.css';

interface ListProps {
  readonly current: Narrow | undefined;
  readonly filter: string;
}

/** More than fits on the screen. The rest is rendered afterwards. */
const FIRST_DRAWN = 50;

export function StreamList({ current, filter }: ListProps) {
  const subscriptions = useChat((state) => state.subscriptions);
  const wanted = filter.trim().toLowerCase();
  const ordered = useMemo(() => inOrder(subscriptions.values()), [subscriptions]);
  const shown = useMemo(() => ordered.filter(({ name }) => name.toLowerCase().includes(wanted)), [ordered, wanted]);
  const drawn = useDeferredValue(shown, shown.slice(0, FIRST_DRAWN));
  const groups = useMemo(
    () => STREAM_GROUPS.map((group) => ({ group, streams: drawn.filter((each) => groupOf(each) === group) })),
    [drawn],
  );
  return groups.map(({ group, streams }) => (
    <Group
      key={group}
      group={group}
      streams={streams}
      current={current && 'streamId' in current ? current : undefined}
      isFiltered={wanted !== ''}
    />
  ));
}

interface GroupProps {
  readonly group: StreamGroup;
  readonly streams: readonly Subscription[];
  readonly current: Extract<Narrow, { streamId: number }> | undefined;
  readonly isFiltered: boolean;
}

function Group({ group, streams, current, isFiltered }: GroupProps) {
  const unread = useChat((state) => sumOf(streams, countsOf(state).streams));
  const isMention = useChat((state) => streams.some((each) => countsOf(state).mentionedIn.has(each.stream_id)));
  // The middle section stays, because it leads to more streams.
  if (streams.length === 0 && group !== 'streams') return null;
  return (
    <SideSection
      name={group}
      title={t(`side.${group}`)}
      isFoldedFirst={group === 'muted'}
      isForced={isFiltered}
      unread={unread}
      isQuiet={!isMention}
      tools={group === 'streams' && <MoreStreams />}
    >
      {(isFolded) =>
        streams
          .filter(({ stream_id }) => !isFolded || stream_id === current?.streamId)
          .map((stream) => (
            <StreamRow
              key={stream.stream_id}
              stream={stream}
              current={current?.streamId === stream.stream_id ? current : undefined}
            />
          ))
      }
    </SideSection>
  );
}

const sumOf = (streams: readonly Subscription[], counts: ReadonlyMap<number, number>): number =>
  streams.reduce((sum, { stream_id }) => sum + (counts.get(stream_id) ?? 0), 0);

const MoreStreams = () => (
  <PlaceLink href="/streams" className={classes.tool} aria-label={t('side.allStreams')} title={t('side.allStreams')}>
    <Icon name="plus" size={16} />
  </PlaceLink>
);
