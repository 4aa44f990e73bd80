/** The virtual list: only the rows near the screen exist, and coming near an end loads more. */
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { loadNewer, loadNewest, loadOlder } from '../data/load';
import type { MessageList } from '../data/lists';
import { MessageRow } from './message-row';
import { PendingRows } from './pending-rows';
import { select, setScroller } from './selection';
import { useFirstScreen } from './use-first-screen';
import { useReadOnScroll } from './use-read-on-scroll';
import classes from './message-list.module.css';

/** What is rendered outside the screen on either side. */
const AHEAD = 400;
/** This near to an end of what is loaded, more is asked for. */
const NEAR_END = 800;
/** Whoever is this near to the newest message is at it. */
const AT_BOTTOM = 40;
/** Of what stands above the first message; see the style. */
const TOP_HEIGHT = 44;
const PAGE_SHARE = 0.85;

/** Whether rows were put or taken away in front, so that those on the screen must stay where they are. */
function useShift(firstIndex: number): boolean {
  const before = useRef(firstIndex);
  useLayoutEffect(() => {
    before.current = firstIndex;
  }, [firstIndex]);
  return before.current !== firstIndex;
}

interface RowsProps {
  readonly list: MessageList;
  readonly near: number | undefined;
  readonly isShown: boolean;
}

export function MessageRows({ list, near, isShown }: RowsProps) {
  const { narrow, hasOldest } = list;
  const shown = useFirstScreen(list, near);
  const { ids, start } = shown;
  const hasNewest = list.hasNewest && shown.reachesEnd;
  const handle = useRef<VirtualizerHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isAtBottom, setAtBottom] = useState(true);
  // Being at the end is late while messages pour in: what counts is whether the reader left it.
  const isFollowing = useRef(start === undefined);
  const leaveEnd = (): void => void (isFollowing.current = false);
  const latest = useRef({ hasNewest, ...shown });
  latest.current = { hasNewest, ...shown };
  useReadOnScroll(box, narrow, isShown);
  const toEnd = useCallback((): void => {
    isFollowing.current = true;
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, []);
  const onScroll = useCallback((): void => {
    const { scrollTop: above, scrollHeight, clientHeight } = scroller.current!;
    const below = scrollHeight - above - clientHeight;
    if (below <= AT_BOTTOM && latest.current.reachesEnd) isFollowing.current = true;
    setAtBottom(below <= AT_BOTTOM);
    if (!latest.current.isWhole) return;
    if (above < NEAR_END) void loadOlder(narrow);
    if (below < NEAR_END) void loadNewer(narrow);
  }, [narrow]);
  // Rows that are measured, messages on their way, pictures, a box to write in that grows: all of them move the end.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      if (isFollowing.current && latest.current.hasNewest) toEnd();
      const { scrollTop, scrollHeight, clientHeight } = scroller.current!;
      setAtBottom(scrollHeight - scrollTop - clientHeight <= AT_BOTTOM);
      // Nobody can scroll what does not fill the screen.
      if (scrollHeight <= clientHeight) onScroll();
    });
    observer.observe(scroller.current!);
    observer.observe(content.current!);
    return () => observer.disconnect();
  }, [toEnd, onScroll]);
  const first = useRef(start);
  useLayoutEffect(() => {
    if (first.current) handle.current?.scrollToIndex(first.current.index, first.current);
    else toEnd();
  }, [toEnd]);
  useLayoutEffect(() => {
    if (!isShown) return undefined;
    select(near);
    setScroller({
      show: (id) => {
        isFollowing.current = false;
        latest.current.showAll();
        // The list must have the row before it can go there.
        requestAnimationFrame(() => {
          handle.current?.scrollToIndex(latest.current.ids.indexOf(id), { align: 'nearest' });
        });
      },
      page: (direction) => {
        isFollowing.current = false;
        handle.current?.scrollBy(direction * PAGE_SHARE * handle.current.viewportSize);
      },
      toEnd,
    });
    return () => setScroller(undefined);
  }, [near, toEnd, isShown]);
  // Of the first row, while older ones are not shown yet.
  const before = list.ids[list.ids.indexOf(ids[0]!) - 1];
  const isShifted = useShift(shown.firstIndex);
  return (
    <div ref={box} className={classes.rows} onWheel={(event) => event.deltaY < 0 && leaveEnd()} onTouchMove={leaveEnd}>
      <div
        ref={scroller}
        className={classes.scroller}
        data-scroller
        tabIndex={0}
        // On the scroll bar, which is no row.
        onPointerDown={(event) => event.target === event.currentTarget && leaveEnd()}
      >
        <div ref={content} className={classes.content}>
          <div className={classes.top}>{hasOldest ? t('list.beginning') : ''}</div>
          <Virtualizer
            ref={handle}
            data={ids}
            scrollRef={scroller}
            startMargin={TOP_HEIGHT}
            bufferSize={AHEAD}
            shift={isShifted}
            // Without it the rows of the first screen are hidden until they are measured.
            ssrCount={shown.mounted.length}
            keepMounted={shown.mounted}
            onScroll={onScroll}
          >
            {(id, index) => (
              <MessageRow
                key={id}
                id={id}
                previous={ids[index - 1] ?? before}
                narrow={narrow}
                isFirstUnread={id === list.firstUnread}
              />
            )}
          </Virtualizer>
          <PendingRows narrow={narrow} />
        </div>
      </div>
      {!(isAtBottom && hasNewest) && (
        <button
          type="button"
          className={classes.toNewest}
          onClick={() => (hasNewest ? toEnd() : void loadNewest(narrow))}
        >
          <Icon name="down" size={16} />
          {t('list.toNewest')}
        </button>
      )}
    </div>
  );
}
