/** The parts of a message: sender, time, text and markers. */
import type { ReactElement } from 'react';
import { t } from '../../shared/texts/texts';
import { dateAndTimeOf, timeOf } from '../../shared/texts/dates';
import { Avatar } from '../../shared/ui/avatar';
import { Icon } from '../../shared/ui/icon';
import { isEdited } from '../data/messages';
import type { Message, Person, Status } from '../data/wire';
import { showDialog, showPerson } from '../dialogs/dialogs';
import { StatusEmoji } from '../people/status-emoji';
import { RichText } from './rich-text';
import classes from './message-row.module.css';

interface SenderProps {
  readonly message: Message;
  readonly sender: Person | undefined;
  readonly isPointedAt: boolean;
}

export const senderName = (message: Message, sender: Person | undefined): string =>
  sender?.full_name ?? message.sender_full_name;

export function Picture({ message, sender }: Omit<SenderProps, 'isPointedAt'>) {
  const name = senderName(message, sender);
  return (
    <div className={classes.picture}>
      <button
        type="button"
        tabIndex={-1}
        aria-label={t('person.card', { name })}
        onClick={(event) => showPerson(message.sender_id, event.currentTarget)}
      >
        <Avatar name={name} id={message.sender_id} url={sender?.avatar_url ?? message.avatar_url} />
      </button>
    </div>
  );
}

/** The time of a message without a head of its own, beside it. */
export function TimeBeside(parts: { message: Message; isPointedAt: boolean }) {
  return (
    <div className={classes.beside}>
      <Time {...parts} />
    </div>
  );
}

export function Sender({ message, sender, status, isPointedAt }: SenderProps & { status: Status | undefined }) {
  return (
    <div className={classes.sender}>
      {!message.is_me_message && (
        <button type="button" tabIndex={-1} onClick={(event) => showPerson(message.sender_id, event.currentTarget)}>
          {senderName(message, sender)}
        </button>
      )}
      <StatusEmoji status={status} />
      {sender?.is_bot === true && <span className={classes.bot}>{t('person.bot')}</span>}
      <Time message={message} isPointedAt={isPointedAt} />
      {marks(message)}
    </div>
  );
}

/** The text of a message without a widget. Functions and no components: that is noticed where many rows are made at once. */
export function words(message: Message, name: string, isFound: boolean): ReactElement {
  const html = (isFound ? message.match_content : undefined) ?? message.content;
  const isAlerting = message.flags.includes('has_alert_word');
  if (!message.is_me_message) return <RichText html={html} isAlerting={isAlerting} />;
  return (
    <div className={classes.me}>
      <b>{name}</b>
      <RichText html={html.replace(/^<p>\/me /, '<p>')} isAlerting={isAlerting} />
    </div>
  );
}

function Time({ message: { timestamp }, isPointedAt }: { message: Message; isPointedAt: boolean }) {
  return (
    <time
      dateTime={new Date(timestamp * 1000).toISOString()}
      title={isPointedAt ? dateAndTimeOf(timestamp) : undefined}
    >
      {timeOf(timestamp)}
    </time>
  );
}

export function marks(message: Message): ReactElement | undefined {
  const isStarred = message.flags.includes('starred');
  const isChanged = isEdited(message);
  if (!isStarred && !isChanged) return undefined;
  return (
    <span className={classes.marks}>
      {isChanged && (
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
