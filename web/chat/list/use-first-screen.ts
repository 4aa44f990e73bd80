/**
 * A view begins with the messages that the screen holds; the others that are loaded join it when those have been drawn,
 * first the older ones and then the newer ones. A reader does not wait for rows that nobody sees.
 */
import { useCallback, useEffect, useState } from 'react';
import type { MessageList } from '../data/lists';
import { screenful, screenOf, startOf, type Start } from './first-screen';

interface FirstScreen {
  readonly ids: readonly number[];
  /** As the list's, of the first message that is shown. */
  readonly firstIndex: number;
  readonly isWhole: boolean;
  /** Whether the last message that is loaded is shown. */
  readonly reachesEnd: boolean;
  /** Rows that are drawn before the list has learnt how high they and the screen are. */
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
      timer = setTimeout(() => setScreen(from > 0 && last !== undefined ? { last } : {}));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [isWhole, from, last]);
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
