/**
 * Marks messages as read that were visible for a moment while the page had the focus. Who has seen the newest message of
 * a view has read what is above it, even if they jumped there.
 */
import { useEffect, type RefObject } from 'react';
import { listOf, useLists } from '../data/lists';
import { keyOf, type Narrow } from '../data/narrow';
import { chat } from '../data/store';
import { conversationKey, isOfStream, unreadWhere } from '../data/unread';
import { markRead } from '../reading/read-soon';

/** The view in which somebody made messages unread: they stay so until it is shown again. */
let leftAlone = '';

export function stopReading(): void {
  leftAlone = useLists.getState().current;
}

/**
 * What is read once these are seen. Who sees the newest message of a conversation or a stream has read all of it; of
 * other views, what they have loaded, as in Zulip.
 */
function readWith(seen: readonly number[], narrow: Narrow): readonly number[] {
  const list = listOf(narrow);
  const last = list?.ids.at(-1);
  if (!list?.hasNewest || last === undefined || !seen.includes(last)) return seen;
  const { unread } = chat();
  if (narrow.kind === 'stream') {
    const all = unreadWhere(unread, (conversation) => isOfStream(conversation, narrow.streamId));
    return all.map(({ id }) => id).filter((id) => id <= last);
  }
  const conversation = conversationKey(narrow);
  if (conversation === undefined) return list.ids;
  return [...(unread.messagesIn.get(conversation) ?? [])].filter((id) => id <= last);
}

/** What is there at two looks in a row was there for a moment; what a scroll passed was not. */
const LOOK_MS = 300;

export function useReadOnScroll(box: RefObject<HTMLDivElement | null>, narrow: Narrow, isShown: boolean): void {
  useEffect(() => {
    const element = box.current;
    // Search results and starred messages lack context, so they stay unread.
    if (!element || !isShown || narrow.kind === 'search' || narrow.kind === 'starred') return undefined;
    const key = keyOf(narrow);
    leftAlone = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    let before = new Set<number>();
    const look = (): void => {
      timer = undefined;
      if (!document.hasFocus() || leftAlone === key) return;
      const { top, bottom } = element.getBoundingClientRect();
      const rows = [...element.querySelectorAll<HTMLElement>('[data-message-id]')];
      const seen = rows.filter((row) => {
        const place = row.getBoundingClientRect();
        return place.bottom > top && place.bottom <= bottom + 1;
      });
      const ids = seen.map((row) => Number(row.dataset['messageId']));
      const stayed = ids.filter((id) => before.has(id));
      if (stayed.length > 0) markRead(readWith(stayed, narrow));
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
