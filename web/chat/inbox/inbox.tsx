/** The Inbox: unread conversations. The first view of those who return. */
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Head } from '../../shared/shell/head';
import { t } from '../../shared/texts/texts';
import type { MenuEntries } from '../../shared/menus/menu-button';
import { RowMenu } from '../../shared/menus/row-menu';
import { tell } from '../../shared/ui/toasts';
import { Compose } from '../compose/compose';
import { openFor } from '../compose/state';
import { markConversationRead, markPrivatesRead, markWholeStreamRead } from '../reading/mark-as-read';
import { useChat } from '../data/store';
import { useTitle } from '../notices/title';
import { privateEntries } from '../people/private-entries';
import { fold, useFolded } from '../side/folded';
import { streamEntries } from '../streams/stream-entries';
import { topicEntries } from '../topics/topic-entries';
import { SearchBox } from '../views/search-box';
import { inboxBody } from './inbox-body';
import { inboxGroups, type InboxGroup, type InboxRow } from './inbox-groups';
import { menuName } from './inbox-menu';
import { NothingUnread } from './nothing-unread';
import { useFollowSent } from './use-follow-sent';
import { useRowKeys } from './use-row-keys';
import views from '../views/view.module.css';
import classes from './inbox.module.css';

export function Inbox() {
  useTitle(t('view.inbox'));
  useLayoutEffect(() => openFor({ kind: 'all' }), []);
  const page = useRef<HTMLElement>(null);
  useRowKeys(page);
  useFollowSent();
  const groups = useGroups();
  const changed = useFolded((state) => state.changed);
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set());
  const isFolded = (key: string): boolean => changed[`inbox:${key}`] ?? false;
  return (
    <>
      <Head>
        <div className={views.title}>
          <h1>{t('view.inbox')}</h1>
        </div>
        <SearchBox query="" />
      </Head>
      <main ref={page} id="main" className={classes.page} tabIndex={-1}>
        {groups.length === 0 ? (
          <NothingUnread />
        ) : (
          inboxBody({
            groups,
            isFolded,
            isWhole: (key) => whole.has(key),
            onFold: (key) => fold(`inbox:${key}`, !isFolded(key)),
            onWhole: (key) => setWhole(new Set([...whole, key])),
            onReadGroup: ({ stream }) => tell(stream ? markWholeStreamRead(stream.stream_id) : markPrivatesRead()),
            onReadRow: ({ key }) => tell(markConversationRead(key)),
            menuOf: (group, row) => <RowMenu label={menuName(group, row)} entries={() => entriesOf(group, row)} />,
          })
        )}
      </main>
      <Compose />
    </>
  );
}

function entriesOf({ stream }: InboxGroup, row?: InboxRow): MenuEntries {
  if (!stream) return privateEntries(row?.userIds ?? []);
  return row ? topicEntries(stream.stream_id, row.name) : streamEntries(stream.stream_id);
}

function useGroups(): readonly InboxGroup[] {
  const unread = useChat((state) => state.unread);
  const subscriptions = useChat((state) => state.subscriptions);
  const userTopics = useChat((state) => state.userTopics);
  const people = useChat((state) => state.people);
  return useMemo(
    () => inboxGroups({ unread, subscriptions, userTopics, people }),
    [unread, subscriptions, userTopics, people],
  );
}
