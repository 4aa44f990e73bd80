/** Marks messages as read that were visible for a moment while the page had the focus. */
import { useEffect, type RefObject } from 'react';
import { markRead } from '../data/actions';
import { useLists } from '../data/lists';
import type { Narrow } from '../data/narrow';

/** What is there at two looks in a row was there for a moment; what a scroll passed was not. */
const LOOK_MS = 300;

export function useReadOnScroll(box: RefObject<HTMLDivElement | null>, narrow: Narrow, isShown: boolean): void {
  useEffect(() => {
    const element = box.current;
    // Search results and starred messages lack context, so they stay unread.
    if (!element || !isShown || narrow.kind === 'search' || narrow.kind === 'starred') return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let before = new Set<number>();
    const look = (): void => {
      timer = undefined;
      if (!document.hasFocus()) return;
      const { top, bottom } = element.getBoundingClientRect();
      const rows = [...element.querySelectorAll<HTMLElement>('[data-message-id]')];
      const seen = rows.filter((row) => {
        const place = row.getBoundingClientRect();
        return place.bottom > top && place.bottom <= bottom + 1;
      });
      const ids = seen.map((row) => Number(row.dataset['messageId']));
      markRead(ids.filter((id) => before.has(id)));
      if (ids.some((id) => !before.has(id))) soon();
      before = new Set(ids);
    };
    const soon = (): void => void (timer ??= setTimeout(look, LOOK_MS));
    soon();
    element.addEventListener('scroll', soon, { capture: true, passive: true });
    addEventListener('focus', soon);
    const stop = useLists.subscribe(soon);
    return () => {
      clearTimeout(timer);
      stop();
      element.removeEventListener('scroll', soon, { capture: true });
      removeEventListener('focus', soon);
    };
  }, [box, narrow, isShown]);
}
