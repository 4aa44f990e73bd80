/**
 * Renders only the first screen of a view at first. The other loaded messages follow once it is drawn: newer ones
 * first, then older ones, while which the virtual list holds its rows from the end and takes every row that it measures
 * for one above. The reader need not wait for rows out of sight.
 */
import { useCallback, useEffect, useState } from 'react';
import type { MessageList } from '../data/lists';
import { screenful, screenOf, startOf, type Start } from './first-screen';

interface FirstScreen {
  readonly ids: readonly number[];
  /** Like the list's, but for the first rendered message. */
  readonly firstIndex: number;
  readonly isWhole: boolean;
  /** Whether the last loaded message is rendered. */
  readonly reachesEnd: boolean;
  /** Rows that are mounted before the list has measured them and the viewport. */
  readonly mounted: readonly number[];
  readonly start: Start | undefined;
  readonly showAll: () => void;
}

export function useFirstScreen(list: MessageList, near: number | undefined): FirstScreen {
  const [start] = useState(() => startOf(list, near));
  const [{ first, last }, setScreen] = useState(() => screenOf(list.ids, start));
  const from = first === undefined ? 0 : Math.max(0, list.ids.indexOf(first));
  const until = last === undefined ? -1 : list.ids.indexOf(last);
  const isWhole = from === 0 && until < 0;
  const [startIndex] = useState(from);
  useEffect(() => {
    if (isWhole) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setScreen(first !== undefined && last !== undefined ? { first } : {}));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [isWhole, first, last]);
  const ids = isWhole ? list.ids : list.ids.slice(from, until < 0 ? undefined : until + 1);
  return {
    ids,
    mounted: isWhole && ids.length > screenful() ? [] : [...ids.keys()],
    firstIndex: list.firstIndex + from,
    isWhole,
    reachesEnd: until < 0,
    start: start && { ...start, index: start.index - startIndex },
    showAll: useCallback(() => setScreen({}), []),
  };
}
