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
/** Below every end of a list. */
const BEYOND = 1_000_000_000;
const SCROLLER = '[data-virtuoso-scroller]';

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
  // The list's own idea of being at its end is late while messages pour in: what counts is whether the reader left it.
  const isFollowing = useRef(start.align === 'end');
  const leaveEnd = (): void => void (isFollowing.current = false);
  const context = useMemo(() => ({ narrow, hasOldest }), [narrow, hasOldest]);
  const latest = useRef(list);
  latest.current = list;
  useReadOnScroll(box, narrow);
  useEffect(() => {
    select(near);
    setScroller({
      show: (id) => {
        isFollowing.current = false;
        handle.current?.scrollIntoView({ index: latest.current.ids.indexOf(id), behavior: 'auto' });
      },
      page: (direction) => {
        isFollowing.current = false;
        handle.current?.scrollBy({ top: direction * 0.85 * (box.current?.clientHeight ?? 0), behavior: 'auto' });
      },
      toEnd: () => {
        isFollowing.current = true;
        handle.current?.scrollTo({ top: BEYOND });
      },
    });
    return () => setScroller(undefined);
  }, [near]);
  const toNewest = (): void => {
    isFollowing.current = true;
    if (hasNewest) handle.current?.scrollTo({ top: BEYOND });
    else void loadNewest(narrow);
  };
  const follow = (): void => {
    if (isFollowing.current && latest.current.hasNewest) handle.current?.scrollTo({ top: BEYOND });
  };
  return (
    <div
      ref={box}
      className={classes.rows}
      onWheel={(event) => event.deltaY < 0 && leaveEnd()}
      onTouchMove={leaveEnd}
      // On the scroll bar, which is no row.
      onPointerDown={(event) => event.target instanceof Element && event.target.matches(SCROLLER) && leaveEnd()}
    >
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
        totalListHeightChanged={follow}
        atBottomStateChange={(isBottom) => {
          if (isBottom) isFollowing.current = true;
          setAtBottom(isBottom);
        }}
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
