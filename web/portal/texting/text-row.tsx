/** One message of a conversation, with who wrote it and what became of it. */
import { memo } from 'react';
import { dateAndTimeOf, dayName, dayOf, timeOf } from '../../shared/texts/dates';
import { t } from '../../shared/texts/texts';
import { Avatar } from '../../shared/ui/avatar';
import { useColleague } from './colleagues';
import { SharedFile } from './shared-file';
import { contactName, type TextMessage } from './wire';
import classes from './thread.module.css';

/** Soon after another of the same writer, a message has no name and picture of its own. */
const CLOSE_SECONDS = 600;

interface TextRowProps {
  readonly message: TextMessage;
  readonly previous: TextMessage | undefined;
  readonly isFirstUnread: boolean;
  /** By a search. */
  readonly isFound: boolean;
}

const secondsOf = ({ created_at: at }: TextMessage): number => Date.parse(at) / 1000;
const writerOf = ({ direction, user_id: userId }: TextMessage): string => `${direction} ${userId}`;

function isContinued(message: TextMessage, previous: TextMessage): boolean {
  return writerOf(message) === writerOf(previous) && secondsOf(message) - secondsOf(previous) < CLOSE_SECONDS;
}

export const TextRow = memo(function TextRow({ message, previous, isFirstUnread, isFound }: TextRowProps) {
  const isNewDay = !previous || dayOf(secondsOf(message)) !== dayOf(secondsOf(previous));
  return (
    <>
      {isNewDay && (
        <div className={classes.line} role="separator">
          <span>{dayName(secondsOf(message))}</span>
        </div>
      )}
      {isFirstUnread && (
        <div className={classes.line} role="separator" data-unread>
          <span>{t('list.new')}</span>
        </div>
      )}
      <Article
        message={message}
        hasHead={isNewDay || isFirstUnread || !isContinued(message, previous)}
        isFound={isFound}
      />
    </>
  );
});

/** Who wrote it; empty for automatic texts, and until a colleague's name is known. */
function useWriter({ direction, contact, user_id: userId }: TextMessage): string {
  const colleague = useColleague(direction === 'outbound' ? userId : null);
  return direction === 'inbound' && contact ? contactName(contact) : colleague;
}

interface ArticleProps {
  readonly message: TextMessage;
  readonly hasHead: boolean;
  readonly isFound: boolean;
}

function Article({ message, hasHead, isFound }: ArticleProps) {
  const { direction, text, files, contact } = message;
  const writer = useWriter(message);
  return (
    <article
      className={classes.text}
      data-direction={direction}
      data-continued={!hasHead || undefined}
      data-found={isFound || undefined}
      aria-current={isFound || undefined}
    >
      {direction === 'inbound' && hasHead && (
        <Avatar name={pictured(contact, writer)} id={hueOf(contact?.id)} size={28} />
      )}
      <div className={classes.bubble}>
        {hasHead && writer !== '' && <b className={classes.writer}>{writer}</b>}
        {text !== '' && <p>{text}</p>}
        {files.map((file) => (
          <SharedFile key={file.id} file={file} />
        ))}
        <Fate message={message} />
      </div>
    </article>
  );
}

/** When it was written, and what became of it. */
function Fate({ message }: { message: TextMessage }) {
  const { direction, status, error } = message;
  const at = secondsOf(message);
  return (
    <small data-failed={status === 'failed' || undefined}>
      <time dateTime={message.created_at} title={dateAndTimeOf(at)}>
        {timeOf(at)}
      </time>
      {direction === 'outbound' && ` · ${t(`portal.text.${status}`)}`}
      {error && `: ${error.detail}`}
    </small>
  );
}

/** Ids of contacts end in a counter. */
const hueOf = (id = ''): number => Number.parseInt(id.slice(-4), 16) || 0;

/** Of somebody without a name, the last two digits of the number. */
const pictured = (contact: TextMessage['contact'], writer: string): string =>
  contact && writer === contact.number ? contact.number.slice(-2).split('').join(' ') : writer;
