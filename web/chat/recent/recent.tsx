/** Recent conversations: what was written lately, with its place, its people and what is unread. */
import { Button, Loader } from '@mantine/core';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Head } from '../../shared/shell/head';
import { t } from '../../shared/texts/texts';
import { EmptyState } from '../../shared/ui/empty-state';
import { Compose } from '../compose/compose';
import { openFor } from '../compose/state';
import { keyOf, type Narrow } from '../data/narrow';
import { showList, useLists } from '../data/lists';
import { loadList, openList } from '../data/load';
import { loadOlder } from '../reading/load-more';
import { readStored, writeStored } from '../data/stored';
import { useChat } from '../data/store';
import { useFollowSent } from '../inbox/use-follow-sent';
import { useRowKeys } from '../inbox/use-row-keys';
import { useTitle } from '../notices/title';
import { RecentFilters } from './recent-filters';
import { RecentEntry } from './recent-entry';
import { isWanted, recentRows, type RecentFilter } from './recent-rows';
import { SearchBox } from '../views/search-box';
import views from '../views/view.module.css';
import inbox from '../inbox/inbox.module.css';
import classes from './recent.module.css';

const RECENT: Narrow = { kind: 'recent' };
const MAX_SHOWN = 150;
const STORED = 'recent';
const NO_FILTER: RecentFilter = { unread: false, participated: false, muted: false, text: '' };

export function Recent() {
  useTitle(t('view.recent'));
  useLayoutEffect(() => {
    showList(RECENT);
    void openList(RECENT);
    openFor(RECENT);
  }, []);
  const page = useRef<HTMLElement>(null);
  useRowKeys(page);
  useFollowSent();
  const [filter, setFilter] = useState<RecentFilter>(() => ({ ...NO_FILTER, ...readStored<object>(STORED, {}) }));
  const change = (next: RecentFilter): void => {
    setFilter(next);
    writeStored(STORED, { ...next, text: '' });
  };
  return (
    <>
      <Head>
        <div className={views.title}>
          <h1>{t('view.recent')}</h1>
        </div>
        <SearchBox query="" />
      </Head>
      <main ref={page} id="main" className={inbox.page} tabIndex={-1}>
        <RecentFilters filter={filter} onChange={change} />
        <Conversations filter={filter} showAll={() => change(NO_FILTER)} />
      </main>
      <Compose />
    </>
  );
}

function Conversations({ filter, showAll }: { filter: RecentFilter; showAll: () => void }) {
  const rows = useRows(filter);
  const list = useLists(({ byKey }) => byKey.get(keyOf(RECENT)));
  if (!list || (list.isLoading && list.ids.length === 0)) {
    return <Loader className={classes.middle} role="status" aria-label={t('loading')} />;
  }
  if (list.error !== '') {
    return (
      <EmptyState drawing="lost" title={t('list.failed')} text={list.error}>
        <Button onClick={() => void loadList(RECENT)}>{t('action.retry')}</Button>
      </EmptyState>
    );
  }
  return (
    <>
      {rows.length === 0 && (
        <EmptyState drawing="quiet" title={t('recent.none')} text={t('recent.noneText')}>
          <Button onClick={showAll}>{t('recent.all')}</Button>
        </EmptyState>
      )}
      {rows.length > 0 && (
        <ul className={classes.rows} aria-label={t('view.recent')}>
          {rows.slice(0, MAX_SHOWN).map((row) => (
            <RecentEntry key={row.key} row={row} />
          ))}
        </ul>
      )}
      {!list.hasOldest && rows.length < MAX_SHOWN && (
        <Button variant="subtle" className={classes.middle} onClick={() => void loadOlder(RECENT)}>
          {t('recent.more')}
        </Button>
      )}
    </>
  );
}

const NO_IDS: readonly number[] = [];

function useRows(filter: RecentFilter) {
  const ids = useLists(({ byKey }) => byKey.get(keyOf(RECENT))?.ids ?? NO_IDS);
  const ownId = useChat((state) => state.ownId);
  const people = useChat((state) => state.people);
  const streams = useChat((state) => state.streams);
  const unread = useChat((state) => state.unread);
  const subscriptions = useChat((state) => state.subscriptions);
  const userTopics = useChat((state) => state.userTopics);
  const mutedUsers = useChat((state) => state.mutedUsers);
  return useMemo(() => {
    const state = { ownId, people, streams, unread, subscriptions, userTopics, mutedUsers };
    return recentRows(ids, state).filter((row) => isWanted(row, filter, state));
  }, [ids, filter, ownId, people, streams, unread, subscriptions, userTopics, mutedUsers]);
}
