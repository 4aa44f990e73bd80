/** Tells while the page is printed: a virtual list then has all of its rows, because paper has no viewport. */
import { useEffect, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';

export function usePrinting(box: RefObject<HTMLElement | null>): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const begin = (): void => {
      // Views that are kept behind the shown one are not printed. The browser takes what is there after this event.
      if (!box.current?.closest('[data-behind]')) flushSync(() => setPrinting(true));
    };
    const end = (): void => setPrinting(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, [box]);
  return isPrinting;
}
