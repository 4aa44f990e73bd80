/** The emoji of a status, beside a name; its text is what it is called. Also painted before React is there. */
import { emojiUrl } from '../data/emoji';
import type { Emoji } from '../data/actions';
import { useChat } from '../data/store';
import type { Status } from '../data/wire';
import classes from './status-emoji.module.css';

export const hasEmoji = (status: Status | undefined): status is Status & Emoji => (status?.emoji_name ?? '') !== '';

interface StatusEmojiProps {
  readonly status: Status | undefined;
  /** Whether its words stand beside it. */
  readonly hasWords?: boolean;
}

export function StatusEmoji({ status, hasWords = false }: StatusEmojiProps) {
  if (!hasEmoji(status)) return null;
  const text = status.status_text || status.emoji_name.replaceAll('_', ' ');
  return (
    <img
      className={classes.emoji}
      src={emojiUrl(status)}
      alt={hasWords ? '' : text}
      title={text}
      width={16}
      height={16}
    />
  );
}

export function StatusOf({ id }: { id: number }) {
  return <StatusEmoji status={useChat((state) => state.statuses.get(id))} />;
}
