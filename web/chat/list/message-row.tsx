/** One message, with what stands above it: a date, a bar that names the conversation, the line of the first unread one. */
import { memo, useEffect, useRef, useState } from 'react';
import { t } from '../../shared/texts/texts';
import { dayName, dayOf, timeOf } from '../../shared/texts/dates';
import { useMessage } from '../data/messages';
import { conversationOf, isMentioned, keyOf, type Narrow } from '../data/narrow';
import { chat, useChat } from '../data/store';
import type { Message } from '../data/wire';
import { useShown } from '../shell/dialogs';
import { EditInPlace } from './edit-in-place';
import { MessageActions } from './message-actions';
import { Content, Marks, Picture, Sender, senderName } from './message-parts';
import { Reactions } from './reactions';
import { RecipientBar } from './recipient-bar';
import { select, useSelection } from './selection';
import classes from './message-row.module.css';

interface RowProps {
  readonly id: number;
  readonly previous: number | undefined;
  readonly narrow: Narrow;
  readonly isFirstUnread: boolean;
}

/** A message soon after another of the same person needs no second picture and name. */
const CLOSE_SECONDS = 600;

export const MessageRow = memo(function MessageRow({ id, previous, narrow, isFirstUnread }: RowProps) {
  const message = useMessage(id);
  const before = useMessage(previous ?? -1);
  // A virtual list may not have rows without height.
  if (!message) return <div className={classes.gone} />;
  const isNewDay = !before || dayOf(before.timestamp) !== dayOf(message.timestamp);
  const hasBar = hasBars(narrow) && (isNewDay || placeOf(before) !== placeOf(message));
  const isContinued = !isNewDay && !isFirstUnread && continues(before, message);
  return (
    <div className={classes.item}>
      {isNewDay && (
        <div className={classes.date} role="separator">
          <span>{dayName(message.timestamp)}</span>
        </div>
      )}
      {isFirstUnread && (
        <div className={classes.unread} role="separator">
          <span>{t('list.new')}</span>
        </div>
      )}
      {hasBar && <RecipientBar message={message} />}
      <Body message={message} isContinued={isContinued} isFound={narrow.kind === 'search'} />
    </div>
  );
});

/** Where all messages are of one conversation, the head of the view names it. */
const hasBars = ({ kind }: Narrow): boolean => kind !== 'topic' && kind !== 'private';

const placeOf = (message: Message): string => keyOf(conversationOf(message, chat().ownId));

function continues(before: Message, message: Message): boolean {
  return (
    before.sender_id === message.sender_id &&
    message.timestamp - before.timestamp < CLOSE_SECONDS &&
    !message.is_me_message &&
    placeOf(before) === placeOf(message)
  );
}

interface BodyProps {
  readonly message: Message;
  readonly isContinued: boolean;
  /** By a search, whose words are marked; the same message stands in other views without the marks. */
  readonly isFound: boolean;
}

function Body({ message, isContinued, isFound }: BodyProps) {
  // Each of these subscribes for each row: one question a store.
  const chosen = useSelection(({ id, byKey }) => (id !== message.id ? 'no' : byKey ? 'by key' : 'yes'));
  const doing = useShown(({ editing, reactingTo }) =>
    editing === message.id ? 'editing' : reactingTo === message.id ? 'reacting' : 'nothing',
  );
  const sender = useChat((state) => state.people.get(message.sender_id));
  const isSelected = chosen !== 'no';
  const isFocused = chosen === 'by key';
  const [isPointedAt, setPointedAt] = useState(false);
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isFocused) row.current?.focus({ preventScroll: true });
  }, [isFocused]);
  const name = senderName(message, sender);
  return (
    <article
      ref={row}
      tabIndex={-1}
      className={classes.row}
      data-message-id={message.id}
      data-selected={isSelected || undefined}
      data-continued={isContinued || undefined}
      data-mentioned={isMentioned(message.flags) || undefined}
      data-unread={!message.flags.includes('read') || undefined}
      aria-label={t('list.message', { name, time: timeOf(message.timestamp) })}
      onClick={() => select(message.id)}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
    >
      <Picture message={message} sender={sender} isContinued={isContinued} isPointedAt={isPointedAt} />
      <div className={classes.body}>
        {!isContinued && <Sender message={message} sender={sender} isPointedAt={isPointedAt} />}
        {doing === 'editing' ? (
          <EditInPlace message={message} />
        ) : (
          <Content message={message} name={name} isFound={isFound} />
        )}
        {isContinued && <Marks message={message} />}
        {message.reactions.length > 0 && <Reactions message={message} />}
      </div>
      {/* Menus cost more than the rest of a row: only the row that somebody points at has them. */}
      {(isPointedAt || isSelected || doing === 'reacting') && (
        <MessageActions message={message} isSelected={isSelected} />
      )}
    </article>
  );
}
