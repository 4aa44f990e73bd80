/** The virtual list: only rows near the viewport are mounted, and scrolling near an end loads more. */
import { memo, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { t } from '../../shared/texts/texts';
import { BAR_HEIGHT } from './first-seen';
import { listOf, type MessageList } from '../data/lists';
import { loadNewest } from '../data/load';
import { loadNewer, loadOlder } from '../reading/load-more';
import { PendingRows } from './pending-rows';
import { onceAFrame } from './once-a-frame';
import { ReaderHere } from './reader-here';
import { StickyBar, type StickyBarHandle } from './sticky-bar';
import { rowElements, RowPlace } from '../message/row-elements';
import type { Scroller } from './selection';
import { ToNewest, type ToNewestHandle } from './to-newest';
import { useFirstScreen } from './use-first-screen';
import { usePrinting } from './use-printing';
import classes from './message-list.module.css';

/** Pixels rendered beyond the viewport on either side. */
const AHEAD = 400;
/** More is loaded within this distance from an end, and further off for a reader who moves towards it. */
const NEAR_END = 800;
const TOWARDS_END = 3000;
/** Within this distance the reader counts as being at the newest message. */
const AT_BOTTOM = 40;
/** Height of the area above the first message; see the stylesheet. */
const TOP_HEIGHT = 44;
const PAGE_SHARE = 0.85;

/** Whether rows were added or removed in front, so that the visible rows must keep their position. */
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
}

export const MessageRows = memo(function MessageRows({ list, near }: RowsProps) {
  const { narrow, hasOldest } = list;
  const shown = useFirstScreen(list, near);
  const { ids, start } = shown;
  const hasNewest = list.hasNewest && shown.reachesEnd;
  const handle = useRef<VirtualizerHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const button = useRef<ToNewestHandle>(null);
  const bar = useRef<StickyBarHandle>(null);
  // The scroll position lags while messages pour in, so what counts is whether the reader left the end.
  const isFollowing = useRef(start === undefined);
  const leaveEnd = useCallback((): void => void (isFollowing.current = false), []);
  const last = useRef({ above: NaN, below: NaN, scrollHeight: NaN });
  const latest = useRef({ hasNewest, ...shown });
  latest.current = { hasNewest, ...shown };
  const toEnd = useCallback((): void => {
    isFollowing.current = true;
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, []);
  const look = useCallback((): void => {
    const { scrollTop: above, scrollHeight, clientHeight } = scroller.current!;
    const below = scrollHeight - above - clientHeight;
    // In a list of the same height it is the reader who moves, by whatever means, such as the scroll bar.
    const isUpwards = above < last.current.above && scrollHeight === last.current.scrollHeight;
    if (below <= AT_BOTTOM && latest.current.reachesEnd) isFollowing.current = true;
    else if (isUpwards) leaveEnd();
    // The rows of the side that the reader comes from are measured.
    const [toOldest, toNewest] = [below > last.current.below, above > last.current.above];
    last.current = { above, below, scrollHeight };
    button.current?.setAtBottom(below <= AT_BOTTOM);
    bar.current?.look();
    if (!latest.current.isWhole) return;
    if (above < (toOldest ? TOWARDS_END : NEAR_END)) void loadOlder(narrow);
    if (below < (toNewest ? TOWARDS_END : NEAR_END)) void loadNewer(narrow);
  }, [narrow, leaveEnd]);
  const onScroll = useMemo(() => onceAFrame(() => scroller.current && look()), [look]);
  // Measured rows, outgoing messages, images and a growing compose box all move the end.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      if (isFollowing.current && latest.current.hasNewest) toEnd();
      const { scrollTop, scrollHeight, clientHeight } = scroller.current!;
      button.current?.setAtBottom(scrollHeight - scrollTop - clientHeight <= AT_BOTTOM);
      bar.current?.look();
      // A list that does not fill the viewport cannot be scrolled, so it loads more here.
      if (scrollHeight <= clientHeight) onScroll();
    });
    observer.observe(scroller.current!);
    observer.observe(content.current!);
    return () => observer.disconnect();
  }, [toEnd, onScroll]);
  const toNewest = useCallback((): void => {
    if (listOf(narrow)?.hasNewest !== true) return void loadNewest(narrow);
    latest.current.showAll();
    toEnd();
  }, [narrow, toEnd]);
  const first = useRef(start);
  useLayoutEffect(() => {
    if (first.current) handle.current?.scrollToIndex(first.current.index, first.current);
    else toEnd();
  }, [toEnd]);
  const forKeys = useMemo(
    (): Scroller => ({
      show: (id) => {
        // Who looks at the last message stays at the end, also when that grows into a field to edit it.
        isFollowing.current &&= id === latest.current.ids.at(-1);
        latest.current.showAll();
        // The row must be rendered before the list can scroll to it.
        requestAnimationFrame(() => {
          const [list, at] = [handle.current, latest.current.ids.indexOf(id)];
          if (!list || at < 0) return;
          // The bar at the top covers what is below it.
          const top = list.getItemOffset(at) - BAR_HEIGHT;
          if (top < list.scrollOffset) list.scrollToIndex(at, { align: 'start', offset: -BAR_HEIGHT });
          else list.scrollToIndex(at, { align: 'nearest' });
        });
      },
      page: (direction) => {
        isFollowing.current = false;
        handle.current?.scrollBy(direction * PAGE_SHARE * handle.current.viewportSize);
      },
      toNewest,
    }),
    [toNewest],
  );
  // The message before the first row, while older ones are not rendered yet.
  const before = list.ids[list.ids.indexOf(ids[0]!) - 1];
  const [element] = useState(rowElements);
  const isShifted = useShift(shown.firstIndex);
  const isPrinting = usePrinting(box);
  return (
    <div ref={box} className={classes.rows} onWheel={(event) => event.deltaY < 0 && leaveEnd()} onTouchMove={leaveEnd}>
      <ReaderHere box={box} narrow={narrow} near={near} scroller={forKeys} />
      <div
        ref={scroller}
        className={classes.scroller}
        data-scroller
        tabIndex={0}
        // Only the scroll bar, not a row.
        onPointerDown={(event) => event.target === event.currentTarget && leaveEnd()}
      >
        <div ref={content} className={classes.content}>
          <StickyBar ref={bar} scroller={scroller} narrow={narrow} onBeginning={forKeys.show} />
          <div className={classes.top}>{hasOldest ? t('list.beginning') : ''}</div>
          <Virtualizer
            ref={handle}
            data={ids}
            scrollRef={scroller}
            startMargin={TOP_HEIGHT}
            bufferSize={AHEAD}
            shift={isShifted}
            // Otherwise the rows of the first screen stay hidden until they are measured.
            ssrCount={shown.mounted.length}
            keepMounted={isPrinting ? ids.map((_, at) => at) : shown.mounted}
            item={RowPlace}
            onScroll={onScroll}
          >
            {(id, index) =>
              element({ id, previous: ids[index - 1] ?? before, narrow, isFirstUnread: id === list.firstUnread })
            }
          </Virtualizer>
          <PendingRows narrow={narrow} />
        </div>
      </div>
      <ToNewest ref={button} hasNewest={hasNewest} onClick={toNewest} />
    </div>
  );
});
