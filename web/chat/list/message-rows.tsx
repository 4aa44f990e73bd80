/** The virtual list: only the rows near the screen exist, and reaching an end loads more. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { loadNewer, loadNewest, loadOlder } from '../data/load';
import type { MessageList } from '../data/lists';
import { messageById } from '../data/messages';
import type { Narrow } from '../data/narrow';
import { MessageRow } from './message-row';
import { PendingRows } from './pending-rows';
import { select, setScroller } from './selection';
import { useReadOnScroll } from './use-read-on-scroll';
import classes from './message-list.module.css';

interface Context {
  readonly narrow: Narrow;
  readonly hasOldest: boolean;
}

const AHEAD = { top: 800, bottom: 400 };

const components = {
  Header: ({ context }: { context?: Context }) => (
    <div className={classes.top}>{context?.hasOldest === true ? t('list.beginning') : ''}</div>
  ),
  Footer: ({ context }: { context?: Context }) => (context ? <PendingRows narrow={context.narrow} /> : null),
};

function startOf({ ids }: MessageList, near: number | undefined) {
  if (near !== undefined && ids.includes(near)) return { index: ids.indexOf(near), align: 'center' as const };
  // What the person has read since the list was loaded is not where they begin again.
  const unread = near === undefined ? ids.findIndex((id) => messageById(id)?.flags.includes('read') === false) : -1;
  if (unread >= 0) return { index: unread, align: 'start' as const, offset: -60 };
  return { index: ids.length - 1, align: 'end' as const };
}

export function MessageRows({ list, near }: { list: MessageList; near?: number | undefined }) {
  const { narrow, ids, firstIndex, hasOldest, hasNewest } = list;
  const handle = useRef<VirtuosoHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const [isAtBottom, setAtBottom] = useState(true);
  const [start] = useState(() => startOf(list, near));
  const context = useMemo(() => ({ narrow, hasOldest }), [narrow, hasOldest]);
  const latest = useRef(list);
  latest.current = list;
  useReadOnScroll(box, narrow);
  useEffect(() => {
    select(near);
    setScroller({
      show: (id) => handle.current?.scrollIntoView({ index: latest.current.ids.indexOf(id), behavior: 'auto' }),
      page: (direction) =>
        handle.current?.scrollBy({ top: direction * 0.85 * (box.current?.clientHeight ?? 0), behavior: 'auto' }),
      toEnd: () => handle.current?.scrollToIndex({ index: 'LAST', align: 'end' }),
    });
    return () => setScroller(undefined);
  }, [near]);
  const toNewest = (): void => {
    if (hasNewest) handle.current?.scrollToIndex({ index: 'LAST', align: 'end' });
    else void loadNewest(narrow);
  };
  return (
    <div ref={box} className={classes.rows}>
      <Virtuoso
        ref={handle}
        className={classes.scroller}
        data={ids}
        context={context}
        components={components}
        firstItemIndex={firstIndex}
        initialTopMostItemIndex={start}
        increaseViewportBy={AHEAD}
        alignToBottom
        atBottomThreshold={40}
        followOutput={(isBottom) => (isBottom && hasNewest ? 'auto' : false)}
        atBottomStateChange={setAtBottom}
        startReached={() => void loadOlder(narrow)}
        endReached={() => void loadNewer(narrow)}
        computeItemKey={(_, id) => id}
        itemContent={(index, id) => (
          <MessageRow
            id={id}
            previous={ids[index - firstIndex - 1]}
            narrow={narrow}
            isFirstUnread={id === list.firstUnread}
          />
        )}
      />
      {!(isAtBottom && hasNewest) && (
        <button type="button" className={classes.toNewest} onClick={toNewest}>
          <Icon name="down" size={16} />
          {t('list.toNewest')}
        </button>
      )}
    </div>
  );
}
