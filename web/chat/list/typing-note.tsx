/** Shows who is typing in this private conversation. */
import { useEffect, useState } from 'react';
import { t } from '../../shared/texts/texts';
import type { Narrow } from '../data/narrow';
import { nameOf, useChat } from '../data/store';
import classes from './message-list.module.css';

const LOOK_MS = 2000;

export function TypingNote({ narrow }: { narrow: Narrow }) {
  const key = narrow.kind === 'private' ? narrow.userIds.join() : '';
  const typing = useChat((state) => state.typing.get(key));
  const mutedUsers = useChat((state) => state.mutedUsers);
  const [, look] = useState(0);
  useEffect(() => {
    if (!typing || typing.size === 0) return undefined;
    const timer = setInterval(() => look((count) => count + 1), LOOK_MS);
    return () => clearInterval(timer);
  }, [typing]);
  if (narrow.kind !== 'private') return null;
  const names = [...(typing ?? [])]
    .filter(([id, until]) => until > Date.now() && !mutedUsers.has(id))
    .map(([id]) => nameOf(id));
  return (
    <div className={classes.typing} aria-live="polite">
      {names.length > 0 && t('list.typing', { count: names.length, names: names.join(', ') })}
    </div>
  );
}
