/** A recent conversation: topic or people, stream, who wrote, when, and what is unread. */
import { useMemo } from 'react';
import { Count } from '../../shared/shell/count';
import { dayName, dayOf, timeOf } from '../../shared/texts/dates';
import { t } from '../../shared/texts/texts';
import { Avatar } from '../../shared/ui/avatar';
import { Icon } from '../../shared/ui/icon';
import type { MenuEntries } from '../../shared/menus/menu-button';
import { pressedRow, RowMenu } from '../../shared/menus/row-menu';
import { rowPress } from '../../shared/menus/row-press';
import { pathOf } from '../data/narrow';
import { namesOf, useChat } from '../data/store';
import { privateEntries } from '../people/private-entries';
import { PlaceLink } from '../side/place-link';
import { StreamIcon } from '../side/stream-icon';
import { topicEntries } from '../topics/topic-entries';
import { lastWords } from './last-words';
import type { RecentRow } from './recent-rows';
import classes from './recent.module.css';

const MAX_FACES = 4;

export const RecentEntry = ({ row }: { row: RecentRow }) => (
  <li
    className={`${classes.row} ${pressedRow}`}
    data-muted={row.isMuted || undefined}
    data-unread={row.unread > 0 || undefined}
    {...rowPress}
  >
    <div className={classes.words}>
      <PlaceLink href={row.path} className={classes.name} data-row>
        {row.name}
      </PlaceLink>
      <Place row={row} />
      <LastWords row={row} />
    </div>
    <Faces row={row} />
    <time dateTime={new Date(row.latest.timestamp * 1000).toISOString()}>{whenOf(row.latest.timestamp)}</time>
    <RowMenu label={menuName(row)} entries={() => entriesOf(row)} />
    <span className={classes.count}>
      <Count count={row.unread} isQuiet={!row.isMention && row.streamId > 0} />
    </span>
  </li>
);

const menuName = ({ streamId, name }: RecentRow): string =>
  streamId > 0 ? t('topic.menu', { topic: name }) : t('private.menu', { names: name });

const entriesOf = ({ streamId, name, userIds }: RecentRow): MenuEntries =>
  streamId > 0 ? topicEntries(streamId, name) : privateEntries(userIds);

function whenOf(seconds: number): string {
  return dayOf(seconds) === dayOf(Date.now() / 1000) ? timeOf(seconds) : dayName(seconds);
}

function LastWords({ row: { latest } }: { row: RecentRow }) {
  const words = useMemo(() => lastWords(latest), [latest]);
  const name = useChat((state) => state.people.get(latest.sender_id)?.full_name ?? latest.sender_full_name);
  return (
    <span className={classes.last}>
      {name}: {words}
    </span>
  );
}

function Place({ row: { streamId } }: { row: RecentRow }) {
  const stream = useChat((state) => state.streams.get(streamId));
  const color = useChat((state) => state.subscriptions.get(streamId)?.color);
  if (streamId === 0)
    return (
      <span className={classes.place}>
        <Icon name="mail" size={14} />
        {t('view.privates')}
      </span>
    );
  return (
    <PlaceLink href={pathOf({ kind: 'stream', streamId })} className={classes.place}>
      {stream && <StreamIcon stream={stream} color={color} size={14} />}
      {stream?.name ?? t('view.unknownStream')}
    </PlaceLink>
  );
}

function Faces({ row: { senders } }: { row: RecentRow }) {
  const people = useChat((state) => state.people);
  const names = namesOf(people, senders);
  return (
    <span className={classes.faces} role="img" aria-label={names} title={names}>
      {senders.slice(0, MAX_FACES).map((id) => {
        const person = people.get(id);
        return <Avatar key={id} name={person?.full_name ?? '?'} id={id} url={person?.avatar_url} size={22} />;
      })}
      {senders.length > MAX_FACES && <small>+{senders.length - MAX_FACES}</small>}
    </span>
  );
}
