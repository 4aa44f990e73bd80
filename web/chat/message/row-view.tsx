/** The markup of a message row, shared by React and the first paint before React is loaded. */
import type { ReactElement, ReactNode } from 'react';
import { t } from '../../shared/texts/texts';
import { dayName, dayOf, timeOf } from '../../shared/texts/dates';
import { conversationOf, isMentioned, keyOf, type Narrow } from '../data/narrow';
import { chat } from '../data/store';
import type { Message, Person, Status } from '../data/wire';
import { hiddenNote } from './hidden';
import { marks, Picture, Sender, senderName, TimeBeside } from './message-parts';
import { Reactions } from './reactions';
import classes from './message-row.module.css';

/** A message this soon after another of the same sender shows no avatar and name. */
const CLOSE_SECONDS = 600;

/** How a message relates to the one above it. */
export interface Standing {
  readonly isNewDay: boolean;
  readonly isFirstUnread: boolean;
  readonly hasBar: boolean;
  readonly isContinued: boolean;
}

export function standingOf(
  message: Message,
  before: Message | undefined,
  narrow: Narrow,
  isFirstUnread: boolean,
): Standing {
  const isNewDay = !before || dayOf(before.timestamp) !== dayOf(message.timestamp);
  return {
    isNewDay,
    isFirstUnread,
    hasBar: hasBars(narrow) && (isNewDay || placeOf(before) !== placeOf(message)),
    isContinued: !isNewDay && !isFirstUnread && continues(before, message),
  };
}

/** In a view of a single conversation, the view's header names it. */
export const hasBars = ({ kind }: Narrow): boolean => kind !== 'topic' && kind !== 'private';

export const placeOf = (message: Message): string => keyOf(conversationOf(message, chat().ownId));

function continues(before: Message, message: Message): boolean {
  return (
    before.sender_id === message.sender_id &&
    message.timestamp - before.timestamp < CLOSE_SECONDS &&
    !message.is_me_message &&
    placeOf(before) === placeOf(message)
  );
}

/** A message with what is above it: date, unread line, and the bar that names the conversation. */
export function rowParts(message: Message, standing: Standing, bar: ReactNode, article: ReactNode): ReactElement {
  return (
    <>
      {standing.isNewDay && (
        <div className={classes.date} role="separator">
          <span>{dayName(message.timestamp)}</span>
        </div>
      )}
      {standing.isFirstUnread && (
        <div className={classes.unread} role="separator">
          <span>{t('list.new')}</span>
        </div>
      )}
      {bar}
      {article}
    </>
  );
}

interface ArticleParts {
  readonly message: Message;
  readonly sender: Person | undefined;
  /** Of the sender, unless the row continues another. */
  readonly status: Status | undefined;
  readonly isContinued: boolean;
  /** Because its sender is muted: nothing of it is shown. */
  readonly isHidden: boolean;
  readonly isSelected: boolean;
  readonly isPointedAt: boolean;
  readonly content: ReactNode;
}

/**
 * The content of a message's article element. Most messages continue others, so they have no element that they can do
 * without: while somebody scrolls, the browser makes, places and paints a dozen of them in every frame.
 */
export function articleInside(parts: ArticleParts): ReactElement {
  const { message, sender, status, isContinued, isHidden, isSelected, isPointedAt, content } = parts;
  if (isHidden) return hiddenNote(message);
  const reactions = message.reactions.length > 0 && <Reactions message={message} ownId={chat().ownId} />;
  if (isContinued) {
    return (
      <>
        {(isPointedAt || isSelected) && <TimeBeside message={message} isPointedAt={isPointedAt} />}
        {content}
        {marks(message)}
        {reactions}
      </>
    );
  }
  return (
    <>
      <Picture message={message} sender={sender} />
      <div className={classes.body}>
        <Sender message={message} sender={sender} status={status} isPointedAt={isPointedAt} />
        {content}
        {reactions}
      </div>
    </>
  );
}

export function articleTraits({ message, sender, isContinued, isHidden, isSelected }: Omit<ArticleParts, 'content'>) {
  const time = timeOf(message.timestamp);
  return {
    tabIndex: -1,
    className: classes.row,
    'data-message-id': message.id,
    'data-selected': isSelected || undefined,
    'data-continued': isContinued || isHidden || undefined,
    'data-mentioned': isMentioned(message.flags) || undefined,
    'data-unread': !message.flags.includes('read') || undefined,
    'aria-label': isHidden
      ? t('message.hiddenLabel', { time })
      : t('list.message', { name: senderName(message, sender), time }),
  };
}
