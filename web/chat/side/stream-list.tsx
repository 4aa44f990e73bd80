/** The user's subscribed streams, in sections. */
import { useDeferredValue, useMemo } from 'react';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import type { Narrow } from '../data/narrow';
import { useChat } from '../data/store';
import type { Subscription } from '../data/wire';
import type { Folder } from '../streams/folders';
import { PlaceLink } from './place-link';
import { SideSection } from './side-section';
import { groupOf, groupsIn, inOrder, isDemoting, unreadInactive, type Places, type StreamGroup } from './stream-groups';
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
  const folders = useChat((state) => state.folders);
  const isApart = useChat(isDemoting);
  const unread = useChat(unreadInactive);
  const wanted = filter.trim().toLowerCase();
  const places = useMemo(() => ({ folders, isDemoting: isApart, unread }), [folders, isApart, unread]);
  const ordered = useMemo(() => inOrder(subscriptions.values(), places), [subscriptions, places]);
  const shown = useMemo(() => ordered.filter(({ name }) => name.toLowerCase().includes(wanted)), [ordered, wanted]);
  const drawn = useDeferredValue(shown, shown.slice(0, FIRST_DRAWN));
  const groups = useMemo(() => grouped(drawn, places), [drawn, places]);
  return groups.map(({ group, streams }) => (
    <Group
      key={group}
      group={group}
      title={titleOf(group, folders)}
      streams={streams}
      current={current && 'streamId' in current ? current : undefined}
      isFiltered={wanted !== ''}
    />
  ));
}

function grouped(streams: readonly Subscription[], places: Places) {
  const found = new Map(groupsIn(places).map((group): [StreamGroup, Subscription[]] => [group, []]));
  const groupFor = groupOf(places);
  for (const each of streams) found.get(groupFor(each))!.push(each);
  return [...found].map(([group, own]) => ({ group, streams: own }));
}

function titleOf(group: StreamGroup, folders: readonly Folder[]): string {
  if (group === 'pinned' || group === 'streams' || group === 'inactive' || group === 'muted') return t(`side.${group}`);
  return folders.find(({ id }) => group === `folder:${id}`)?.name ?? '';
}

interface GroupProps {
  readonly group: StreamGroup;
  readonly title: string;
  readonly streams: readonly Subscription[];
  readonly current: Extract<Narrow, { streamId: number }> | undefined;
  readonly isFiltered: boolean;
}

function Group({ group, title, streams, current, isFiltered }: GroupProps) {
  const unread = useChat((state) => sumOf(streams, countsOf(state).streams));
  const isMention = useChat((state) => streams.some((each) => countsOf(state).mentionedIn.has(each.stream_id)));
  // The middle section stays, because it leads to more streams.
  if (streams.length === 0 && group !== 'streams') return null;
  return (
    <SideSection
      name={group}
      title={title}
      isFoldedFirst={group === 'muted' || group === 'inactive'}
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
