/** An interactive message row: it follows changes and can be hovered, selected, edited and reacted to. */
import { memo, useEffect, useRef, useState } from 'react';
import type { Narrow } from '../data/narrow';
import type { Message } from '../data/wire';
import { Widget } from '../widgets/widget';
import { widgetOf } from '../widgets/widget-data';
import { EditInPlace } from './edit-in-place';
import { MessageActions } from './message-actions';
import { senderName, words } from './message-parts';
import { RecipientBar } from './recipient-bar';
import { useRow, type Row } from './row-state';
import { articleInside, articleTraits, rowParts, standingOf } from './row-view';
import { select } from '../list/selection';
import classes from './message-row.module.css';

export interface RowProps {
  readonly id: number;
  readonly previous: number | undefined;
  readonly narrow: Narrow;
  readonly isFirstUnread: boolean;
}

export const MessageRow = memo(function MessageRow({ id, previous, narrow, isFirstUnread }: RowProps) {
  const row = useRow(id, previous);
  const { message, before } = row;
  // A virtual list must not contain rows without height.
  if (!message) return <div className={classes.gone} />;
  const standing = standingOf(message, before, narrow, isFirstUnread);
  return rowParts(
    message,
    standing,
    standing.hasBar && <RecipientBar message={message} />,
    <Article message={message} row={row} isContinued={standing.isContinued} isFound={narrow.kind === 'search'} />,
  );
});

interface ArticleProps {
  readonly message: Message;
  readonly row: Row;
  readonly isContinued: boolean;
  /** Found by a search, so matches are highlighted. Other views show the same message without highlights. */
  readonly isFound: boolean;
}

function Article({ message, row, isContinued, isFound }: ArticleProps) {
  const { sender, status, isHidden, isSelected, isFocused, isEditing, isReacting } = row;
  const [isPointedAt, setPointedAt] = useState(false);
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isFocused) element.current?.focus({ preventScroll: true });
  }, [isFocused]);
  const parts = { message, sender, status, isContinued, isHidden, isSelected, isPointedAt };
  const widget = isHidden ? undefined : widgetOf(message);
  const content = widget ? (
    <Widget message={message} data={widget} />
  ) : (
    words(message, senderName(message, sender), isFound)
  );
  return (
    <article
      {...articleTraits(parts)}
      ref={element}
      onClick={() => select(message.id)}
      // Not when the pointer enters: while somebody scrolls, row after row passes under it.
      onPointerMove={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
    >
      {articleInside({ ...parts, content: isEditing ? <EditInPlace message={message} /> : content })}
      {/* Menus cost more than the rest of a row, so only the hovered or selected row has them. */}
      {!isEditing && !isHidden && (isPointedAt || isSelected || isReacting) && (
        <MessageActions message={message} isSelected={isSelected} />
      )}
    </article>
  );
}
