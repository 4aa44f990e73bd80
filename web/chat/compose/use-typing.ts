/** Sends typing notifications to the other people of a private conversation, at most every few seconds. */
import { useEffect, useRef } from 'react';
import { api } from '../../shared/http/request';
import { chat } from '../data/store';
import type { Draft } from '../drafts/drafts';

const AGAIN_MS = 10_000;
const STOP_MS = 5000;

export function useTyping({ type, userIds, content }: Draft): void {
  const sentAt = useRef(0);
  const last = useRef(content);
  const people = type === 'private' ? userIds.join() : '';
  useEffect(() => {
    if (people === '' || content === last.current) return undefined;
    const isMore = content.length > last.current.length;
    last.current = content;
    const to = people.split(',').map(Number);
    const tell = (op: 'start' | 'stop'): void => {
      if (chat().connection === 'online') void api.post('/typing', { op, to }, { patience: 0 }).catch(() => undefined);
    };
    if (isMore && Date.now() - sentAt.current > AGAIN_MS) {
      sentAt.current = Date.now();
      tell('start');
    }
    const timer = setTimeout(
      () => {
        if (sentAt.current === 0) return;
        sentAt.current = 0;
        tell('stop');
      },
      content === '' ? 0 : STOP_MS,
    );
    return () => clearTimeout(timer);
  }, [people, content]);
}
