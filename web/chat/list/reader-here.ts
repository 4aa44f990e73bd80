/**
 * What a list does only while it is on the screen. It is apart from the rows: to show or hide a view draws none of
 * them.
 */
import { createContext, useContext, useLayoutEffect, type RefObject } from 'react';
import type { Narrow } from '../data/narrow';
import { useOutbox } from '../data/outbox';
import { pendingIn } from '../data/pending';
import { select, setScroller, type Scroller } from './selection';
import { useReadOnScroll } from './use-read-on-scroll';

/** Whether the view around is the one on the screen. */
export const IsShown = createContext(true);

interface ReaderProps {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly narrow: Narrow;
  readonly near: number | undefined;
  readonly scroller: Scroller;
}

export function ReaderHere({ box, narrow, near, scroller }: ReaderProps): undefined {
  const isShown = useContext(IsShown);
  useReadOnScroll(box, narrow, isShown);
  useLayoutEffect(() => {
    if (!isShown) return undefined;
    select(near);
    setScroller(scroller);
    return () => {
      setScroller(undefined);
      // Keys and buttons of a page without messages would act on one that nobody sees.
      select(undefined);
    };
  }, [near, scroller, isShown]);
  useLayoutEffect(() => (isShown ? followOwn(narrow, scroller) : undefined), [narrow, scroller, isShown]);
  return undefined;
}

/** Who sends a message sees it, wherever they were reading. What an earlier page left unsent moves nobody. */
const followOwn = (narrow: Narrow, scroller: Scroller): (() => void) =>
  useOutbox.subscribe(({ entries }, before) => {
    const known = new Set(before.entries.map(({ key }) => key));
    const sent = entries.filter(({ key, state }) => state === 'sending' && !known.has(key));
    if (pendingIn(narrow, sent).length > 0) scroller.toNewest();
  });
