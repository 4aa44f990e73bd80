/** An interactive message row: it follows changes and can be hovered, selected, edited and reacted to. */
import { memo, useEffect, useRef, useState } from 'react';
import { useMessage } from '../data/messages';
import type { Narrow } from '../data/narrow';
import { useChat } from '../data/store';
import type { Message } from '../data/wire';
import { useShown } from '../dialogs/dialogs';
import { Widget } from '../widgets/widget';
import { widgetOf } from '../widgets/widget-data';
import { EditInPlace } from './edit-in-place';
import { MessageActions } from './message-actions';
import { senderName, Words } from './message-parts';
import { RecipientBar } from './recipient-bar';
import { articleInside, articleTraits, rowParts, standingOf } from './row-view';
import { select, useSelection } from '../list/selection';
import classes from './message-row.module.css';

export interface RowProps {
  readonly id: number;
  readonly previous: number | undefined;
  readonly narrow: Narrow;
  readonly isFirstUnread: boolean;
}

export const MessageRow = memo(function MessageRow({ id, previous, narrow, isFirstUnread }: RowProps) {
  const message = useMessage(id);
  const before = useMessage(previous ?? -1);
  // A virtual list must not contain rows without height.
  if (!message) return <div className={classes.gone} />;
  const standing = standingOf(message, before, narrow, isFirstUnread);
  return rowParts(
    message,
    standing,
    standing.hasBar && <RecipientBar message={message} />,
    <Article message={message} isContinued={standing.isContinued} isFound={narrow.kind === 'search'} />,
  );
});

interface ArticleProps {
  readonly message: Message;
  readonly isContinued: boolean;
  /** Found by a search, so matches are highlighted. Other views show the same message without highlights. */
  readonly isFound: boolean;
}

function Article({ message, isContinued, isFound }: ArticleProps) {
  // Every row subscribes to these stores, so there is only one selector per store.
  const chosen = useSelection(({ id, byKey }) => (id !== message.id ? 'no' : byKey ? 'by key' : 'yes'));
  const doing = useShown(({ editing, reactingTo }) =>
    editing === message.id ? 'editing' : reactingTo === message.id ? 'reacting' : 'nothing',
  );
  const sender = useChat((state) => state.people.get(message.sender_id));
  const status = useChat((state) => (isContinued ? undefined : state.statuses.get(message.sender_id)));
  const isSelected = chosen !== 'no';
  const isFocused = chosen === 'by key';
  const [isPointedAt, setPointedAt] = useState(false);
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isFocused) row.current?.focus({ preventScroll: true });
  }, [isFocused]);
  const parts = { message, sender, status, isContinued, isSelected, isPointedAt };
  const widget = widgetOf(message);
  const content = widget ? (
    <Widget message={message} data={widget} />
  ) : (
    <Words message={message} name={senderName(message, sender)} isFound={isFound} />
  );
  return (
    <article
      {...articleTraits(parts)}
      ref={row}
      onClick={() => select(message.id)}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
    >
      {articleInside({ ...parts, content: doing === 'editing' ? <EditInPlace message={message} /> : content })}
      {/* Menus cost more than the rest of a row, so only the hovered or selected row has them. */}
      {doing !== 'editing' && (isPointedAt || isSelected || doing === 'reacting') && (
        <MessageActions message={message} isSelected={isSelected} />
      )}
    </article>
  );
}
