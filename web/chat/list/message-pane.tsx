/** A view's message list in all states: loading, failed, empty or filled. */
import { Button, Loader } from '@mantine/core';
import { memo, useEffect, useRef } from 'react';
import { t } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { catchUp } from '../reading/catch-up';
import { useLists, type MessageList } from '../data/lists';
import { openList } from '../data/load';
import { keyOf, type Narrow } from '../data/narrow';
import { EmptyView } from './empty-view';
import { MessageRows } from './message-rows';
import { PendingRows } from './pending-rows';
import { IsShown } from './reader-here';
import { TypingNote } from './typing-note';
import classes from './message-list.module.css';

interface PaneProps {
  readonly narrow: Narrow;
  readonly near?: number | undefined;
  /** False for panes that are kept behind the shown one. */
  readonly isShown: boolean;
}

export const MessagePane = memo(function MessagePane({ narrow, near, isShown }: PaneProps) {
  const list = useLists(({ byKey }) => byKey.get(keyOf(narrow)));
  const visit = useVisit(list?.ids, isShown);
  useEffect(() => {
    if (isShown && list?.isLacking) tell(catchUp(narrow));
  }, [isShown, list?.isLacking, narrow]);
  const place = { id: isShown ? 'main' : undefined, className: classes.pane };
  if (!list || (list.isLoading && list.ids.length === 0)) {
    return (
      <main {...place} aria-busy="true">
        <Loader role="status" size="sm" className={classes.middle} aria-label={t('loading')} />
      </main>
    );
  }
  return (
    <main {...place} tabIndex={-1} aria-label={t('list.label')}>
      {list.ids.length === 0 ? (
        <div className={classes.empty}>
          {list.error === '' ? <EmptyView narrow={narrow} /> : <Failed list={list} near={near} />}
          <PendingRows narrow={narrow} />
        </div>
      ) : (
        visit !== undefined && (
          <IsShown value={isShown}>
            <MessageRows key={`${list.generation} ${near ?? ''} ${visit}`} list={list} near={near} />
          </IsShown>
        )
      )}
      <TypingNote narrow={narrow} />
    </main>
  );
});

/**
 * A key for the rows of this visit. If the list changed while hidden, the next visit gets a new key, so that the reader
 * starts at the first unread message again.
 */
function useVisit(ids: readonly number[] | undefined, isShown: boolean): number | undefined {
  const seen = useRef({ ids, visit: 0, isOver: false });
  const { current } = seen;
  if (!isShown && ids !== current.ids) current.isOver = true;
  if (!isShown) return current.isOver ? undefined : current.visit;
  seen.current = { ids, visit: current.visit + Number(current.isOver), isOver: false };
  return seen.current.visit;
}

function Failed({ list, near }: { list: MessageList; near: number | undefined }) {
  return (
    <div className={classes.failed} role="alert">
      <p>{t('list.failed')}</p>
      <p>{list.error}</p>
      <Button variant="light" onClick={() => void openList(list.narrow, near)}>
        {t('action.retry')}
      </Button>
    </div>
  );
}
