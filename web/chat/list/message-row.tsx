/** One message, with what stands above it: a date, a bar that names the conversation, the line of the first unread one. */
import { memo, useEffect, useRef, useState } from 'react';
import { t } from '../../shared/texts/texts';
import { dateAndTimeOf, dayName, dayOf, timeOf } from '../../shared/texts/dates';
import { Avatar } from '../../shared/ui/avatar';
import { Icon } from '../../shared/ui/icon';
import { useMessage } from '../data/messages';
import { conversationOf, isMentioned, keyOf, type Narrow } from '../data/narrow';
import { chat, useChat } from '../data/store';
import type { Message } from '../data/wire';
import { showDialog, showPerson, useShown } from '../shell/dialogs';
import { Widget } from '../widgets/widget';
import { widgetOf } from '../widgets/widget-data';
import { EditInPlace } from './edit-in-place';
import { MessageActions } from './message-actions';
import { Reactions } from './reactions';
import { RecipientBar } from './recipient-bar';
import { RichText } from './rich-text';
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
  const isSelected = useSelection((state) => state.id === message.id);
  const isFocused = useSelection((state) => state.id === message.id && state.byKey);
  const isEditing = useShown((state) => state.editing === message.id);
  const [isPointedAt, setPointedAt] = useState(false);
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isFocused) row.current?.focus({ preventScroll: true });
  }, [isFocused]);
  const name = useChat((state) => state.people.get(message.sender_id)?.full_name) ?? message.sender_full_name;
  const picture = useChat((state) => state.people.get(message.sender_id)?.avatar_url) ?? message.avatar_url;
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
      <div className={classes.picture}>
        {isContinued ? (
          <Time message={message} />
        ) : (
          <button
            type="button"
            tabIndex={-1}
            aria-label={t('person.card', { name })}
            onClick={() => showPerson(message.sender_id)}
          >
            <Avatar name={name} id={message.sender_id} url={picture} />
          </button>
        )}
      </div>
      <div className={classes.body}>
        {!isContinued && <Sender message={message} name={name} />}
        {isEditing ? <EditInPlace message={message} /> : <Content message={message} name={name} isFound={isFound} />}
        {isContinued && <Marks message={message} />}
        <Reactions message={message} />
      </div>
      <Actions message={message} isSelected={isSelected} isPointedAt={isPointedAt} />
    </article>
  );
}

interface ActionsProps {
  readonly message: Message;
  readonly isSelected: boolean;
  readonly isPointedAt: boolean;
}

/** Menus cost more than the rest of a row: only the row that somebody points at has them. */
function Actions({ message, isSelected, isPointedAt }: ActionsProps) {
  const isReacting = useShown((state) => state.reactingTo === message.id);
  if (!isPointedAt && !isSelected && !isReacting) return null;
  return <MessageActions message={message} isSelected={isSelected} />;
}

function Sender({ message, name }: { message: Message; name: string }) {
  const isBot = useChat((state) => state.people.get(message.sender_id)?.is_bot === true);
  return (
    <div className={classes.sender}>
      {!message.is_me_message && (
        <button type="button" tabIndex={-1} onClick={() => showPerson(message.sender_id)}>
          {name}
        </button>
      )}
      {isBot && <span className={classes.bot}>{t('person.bot')}</span>}
      <Time message={message} />
      <Marks message={message} />
    </div>
  );
}

function Content({ message, name, isFound }: { message: Message; name: string; isFound: boolean }) {
  const widget = widgetOf(message);
  if (widget) return <Widget message={message} data={widget} />;
  const html = (isFound ? message.match_content : undefined) ?? message.content;
  if (!message.is_me_message) return <RichText html={html} />;
  return (
    <div className={classes.me}>
      <b>{name}</b>
      <RichText html={html.replace(/^<p>\/me /, '<p>')} />
    </div>
  );
}

function Time({ message }: { message: Message }) {
  return (
    <time dateTime={new Date(message.timestamp * 1000).toISOString()} title={dateAndTimeOf(message.timestamp)}>
      {timeOf(message.timestamp)}
    </time>
  );
}

function Marks({ message }: { message: Message }) {
  const isStarred = message.flags.includes('starred');
  const isEdited = message.last_edit_timestamp !== undefined;
  if (!isStarred && !isEdited) return null;
  return (
    <span className={classes.marks}>
      {isEdited && (
        <button type="button" tabIndex={-1} onClick={() => showDialog({ kind: 'history', messageId: message.id })}>
          {t('message.edited')}
        </button>
      )}
      {isStarred && (
        <span role="img" aria-label={t('message.starred')} className={classes.star}>
          <Icon name="star" size={14} filled />
        </span>
      )}
    </span>
  );
}
