/** The sidebar: general views, streams with topics, private conversations, own menu. */
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { t } from '../../shared/texts/texts';
import { Icon, type IconName } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { pathOf, placeAt, type Narrow } from '../data/narrow';
import { useChat, useSetting } from '../data/store';
import { showDialog, toggleSide, useShown } from '../dialogs/dialogs';
import { Count } from './count';
import { OwnMenu } from './own-menu';
import { PlaceLink } from './place-link';
import { PrivateList } from './private-list';
import { StreamList } from './stream-list';
import { countsOf } from './unread-total';
import classes from './side-bar.module.css';

export function SideBar() {
  const name = useSetting('realm_name', '');
  const isSideOpen = useShown((state) => state.isSideOpen);
  const [location] = useLocation();
  const [filter, setFilter] = useState('');
  useEffect(() => setFilter(''), [location]);
  const narrow = placeAt(location)?.narrow;
  return (
    <nav className={classes.side} data-open={isSideOpen || undefined} aria-label={t('side.label')}>
      <div className={classes.head}>
        <span className={classes.name}>{name}</span>
        <IconButton icon="search" label={t('palette.open')} onClick={() => showDialog({ kind: 'palette' })} />
        <span className={classes.phoneOnly}>
          <IconButton icon="close" label={t('side.close')} onClick={() => toggleSide(false)} />
        </span>
      </div>
      <div className={classes.scroll}>
        <GeneralViews current={narrow} />
        <input
          id="side-filter"
          className={classes.filter}
          type="search"
          value={filter}
          placeholder={t('side.filter')}
          aria-label={t('side.filter')}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <StreamList current={narrow} filter={filter} />
        <PrivateList current={narrow} filter={filter} />
      </div>
      <OwnMenu />
    </nav>
  );
}

function GeneralViews({ current }: { current: Narrow | undefined }) {
  const total = useChat((state) => countsOf(state).total);
  const mentions = useChat((state) => state.unread.mentions.size);
  const privates = useChat((state) => countsOf(state).privates);
  const starred = useChat((state) => state.starred.size);
  return (
    <ul className={classes.list}>
      <Entry narrow={{ kind: 'all' }} icon="all" name={t('view.all')} count={total} current={current} />
      <Entry narrow={{ kind: 'privates' }} icon="mail" name={t('view.privates')} count={privates} current={current} />
      <Entry
        narrow={{ kind: 'mentions' }}
        icon="mention"
        name={t('view.mentions')}
        count={mentions}
        current={current}
      />
      <Entry
        narrow={{ kind: 'starred' }}
        icon="star"
        name={t('view.starred')}
        count={starred}
        isQuiet
        current={current}
      />
    </ul>
  );
}

interface EntryProps {
  readonly narrow: Narrow;
  readonly icon: IconName;
  readonly name: string;
  readonly count: number;
  readonly current: Narrow | undefined;
  readonly isQuiet?: boolean;
}

function Entry({ narrow, icon, name, count, current, isQuiet = false }: EntryProps) {
  const isCurrent = current?.kind === narrow.kind;
  return (
    <li>
      <PlaceLink href={pathOf(narrow)} className={classes.entry} aria-current={isCurrent ? 'page' : undefined}>
        <Icon name={icon} size={16} />
        <span className={classes.label}>{name}</span>
        <Count count={count} isQuiet={isQuiet} />
      </PlaceLink>
    </li>
  );
}
