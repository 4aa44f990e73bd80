/** What is being written in a conversation. The server keeps it, for a reloaded page and other browsers. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../http/api';

const PAUSE_MS = 800;

const pathOf = (conversationId: string): string => `/portal/api/text-drafts/${conversationId}`;

type Change = string | ((before: string) => string);

export function useDraft(conversationId: string): [string, (change: Change) => void] {
  const [text, setText] = useState('');
  const written = useRef({ text: '', isChanged: false, kept: '' });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const keep = useCallback((): void => {
    clearTimeout(timer.current);
    const { text: now, kept } = written.current;
    if (now === kept) return;
    written.current.kept = now;
    // The text is still on the screen; the next change is kept again.
    api.put(pathOf(conversationId), { text: now }).catch(() => (written.current.kept = kept));
  }, [conversationId]);
  const change = useCallback(
    (how: Change): void => {
      const next = typeof how === 'string' ? how : how(written.current.text);
      written.current = { ...written.current, text: next, isChanged: true };
      setText(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(keep, PAUSE_MS);
    },
    [keep],
  );
  useEffect(() => {
    let isOver = false;
    api.get<{ text: string }>(pathOf(conversationId)).then(
      ({ text: kept }) => {
        // Who has begun to write before the answer goes on with that.
        if (isOver || written.current.isChanged) return;
        written.current = { text: kept, isChanged: false, kept };
        setText(kept);
      },
      () => undefined,
    );
    const leave = (): void => void (document.hidden && keep());
    document.addEventListener('visibilitychange', leave);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', leave);
      keep();
    };
  }, [conversationId, keep]);
  return [text, change];
}
