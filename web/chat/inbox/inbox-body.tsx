/** What the Inbox shows. Without hooks, because the first paint uses it too. */
import type { ReactElement, ReactNode } from 'react';
import { Count } from '../../shared/shell/count';
import { t } from '../../shared/texts/texts';
import { Avatar } from '../../shared/ui/avatar';
import { Icon } from '../../shared/ui/icon';
import { pressedRow } from '../../shared/menus/row-menu';
import { rowPress } from '../../shared/menus/row-press';
import { pathOf } from '../data/narrow';
import { PlaceLink } from '../side/place-link';
import { StreamIcon } from '../side/stream-icon';
import type { InboxGroup, InboxRow } from './inbox-groups';
import classes from './inbox.module.css';

/** How many conversations of a group are shown at first. */
const FEW = 20;

export interface InboxBodyProps {
  readonly groups: readonly InboxGroup[];
  readonly isFolded: (key: string) => boolean;
  readonly isWhole: (key: string) => boolean;
  readonly onFold: (key: string) => void;
  readonly onWhole: (key: string) => void;
  readonly onReadGroup: (group: InboxGroup) => void;
  readonly onReadRow: (row: InboxRow) => void;
  /** The menu of a conversation, or of a stream. */
  readonly menuOf: (group: InboxGroup, row?: InboxRow) => ReactNode;
}

export const inboxBody = (props: InboxBodyProps): ReactElement => (
  <div className={classes.groups}>{props.groups.map((group) => inboxGroup(group, props))}</div>
);

const titleOf = ({ stream }: InboxGroup): string => stream?.name ?? t('view.privates');

function inboxGroup(group: InboxGroup, props: InboxBodyProps): ReactElement {
  const { key, stream, rows, count } = group;
  const isFolded = props.isFolded(key);
  const title = titleOf(group);
  const shown = props.isWhole(key) ? rows : rows.slice(0, FEW);
  return (
    <div key={key} className={classes.group} role="group" aria-label={title} data-private={!stream || undefined}>
      <div className={`${classes.head} ${pressedRow}`} {...rowPress}>
        <button
          type="button"
          className={classes.fold}
          aria-expanded={!isFolded}
          aria-label={t(isFolded ? 'inbox.open' : 'inbox.fold', { name: title })}
          onClick={() => props.onFold(key)}
        >
          <Icon name="chevron" size={14} />
        </button>
        <h2>
          <PlaceLink href={stream ? pathOf({ kind: 'stream', streamId: stream.stream_id }) : '/private'} data-row>
            {stream ? <StreamIcon stream={stream} color={stream.color} /> : <Icon name="mail" size={16} />}
            <span>{title}</span>
          </PlaceLink>
        </h2>
        <Count count={count} isQuiet={stream !== undefined && !rows.some(({ isMention }) => isMention)} />
        {stream && props.menuOf(group)}
        {readButton(title, () => props.onReadGroup(group))}
      </div>
      {!isFolded && <ul>{shown.map((row) => inboxRow(row, group, props))}</ul>}
      {!isFolded && rows.length > shown.length && (
        <button type="button" className={classes.more} onClick={() => props.onWhole(key)}>
          {t('side.moreTopics', { count: rows.length - shown.length })}
        </button>
      )}
    </div>
  );
}

const inboxRow = (row: InboxRow, group: InboxGroup, props: InboxBodyProps): ReactElement => (
  <li key={row.key} className={`${classes.row} ${pressedRow}`} {...rowPress}>
    <PlaceLink href={row.path} data-row>
      {row.people && faces(row)}
      <span className={classes.name}>{row.name}</span>
      {row.isMention && (
        <span className={classes.mention}>
          <Icon name="mention" size={14} />
          {t('inbox.mentioned')}
        </span>
      )}
      <Count count={row.ids.size} isQuiet={!row.isMention && group.stream !== undefined} />
    </PlaceLink>
    {props.menuOf(group, row)}
    {readButton(row.name, () => props.onReadRow(row))}
  </li>
);

function faces({ people = [] }: InboxRow): ReactElement {
  const [person] = people;
  if (people.length !== 1 || !person) return <Icon name="users" size={18} />;
  return <Avatar name={person.full_name} id={person.user_id} url={person.avatar_url} size={24} />;
}

const readButton = (name: string, read: () => void): ReactElement => (
  <button
    type="button"
    className={classes.read}
    aria-label={t('inbox.markRead', { name })}
    title={t('inbox.markRead', { name })}
    onClick={read}
  >
    <Icon name="check" size={16} />
  </button>
);
