/** The side bar: general views, streams with topics, private conversations, own menu. */
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Count } from '../../shared/shell/count';
import { SideBar } from '../../shared/shell/side-bar';
import { t } from '../../shared/texts/texts';
import { Icon, type IconName } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { pathOf, placeAt, type Narrow } from '../data/narrow';
import { useChat, useSetting } from '../data/store';
import { showDialog } from '../dialogs/dialogs';
import { DraftsEntry } from '../drafts/drafts-entry';
import { OwnMenu } from './own-menu';
import { PlaceLink } from './place-link';
import { PrivateList } from './private-list';
import { StreamList } from './stream-list';
import { countsOf } from './unread-total';
import nav from '../../shared/shell/nav.module.css';
import classes from './chat-side.module.css';

export function ChatSide() {
  const name = useSetting('realm_name', '');
  const [location] = useLocation();
  const [filter, setFilter] = useState('');
  useEffect(() => setFilter(''), [location]);
  const narrow = placeAt(location)?.narrow;
  return (
    <SideBar
      name={name}
      label={t('side.label')}
      tools={<IconButton icon="search" label={t('palette.open')} onClick={() => showDialog({ kind: 'palette' })} />}
      foot={<OwnMenu />}
    >
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
    </SideBar>
  );
}

function GeneralViews({ current }: { current: Narrow | undefined }) {
  const total = useChat((state) => countsOf(state).total);
  const mentions = useChat((state) => state.unread.mentions.size);
  const privates = useChat((state) => countsOf(state).privates);
  const starred = useChat((state) => state.starred.size);
  return (
    <ul className={nav.list}>
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
      <DraftsEntry />
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
      <PlaceLink href={pathOf(narrow)} className={nav.entry} aria-current={isCurrent ? 'page' : undefined}>
        <Icon name={icon} size={16} />
        <span className={nav.label}>{name}</span>
        <Count count={count} isQuiet={isQuiet} />
      </PlaceLink>
    </li>
  );
}
