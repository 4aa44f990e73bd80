/** The bar that names the conversation of the messages below it. */
import { useState, type HTMLAttributes, type ReactElement, type ReactNode } from 'react';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { conversationOf, pathOf } from '../data/narrow';
import { useChat, type ChatState } from '../data/store';
import type { Message, Stream } from '../data/wire';
import { PlaceLink } from '../side/place-link';
import { StreamIcon } from '../side/stream-icon';
import { BarActions } from './bar-actions';
import { RichText } from './rich-text';
import classes from './recipient-bar.module.css';

interface BarProps extends Pick<ChatState, 'ownId' | 'people'> {
  readonly message: Message;
  readonly stream: Stream | undefined;
  readonly color: string | undefined;
  readonly actions?: ReactNode;
  readonly traits?: HTMLAttributes<HTMLDivElement>;
}

export function RecipientBar({ message }: { message: Message }) {
  const ownId = useChat((state) => state.ownId);
  const people = useChat((state) => state.people);
  const stream = useChat((state) => state.streams.get(message.stream_id ?? 0));
  const color = useChat((state) => state.subscriptions.get(message.stream_id ?? 0)?.color);
  // Few bars are pointed at, so only those have buttons.
  const [isWanted, setWanted] = useState(false);
  const traits: HTMLAttributes<HTMLDivElement> = {
    onPointerEnter: () => setWanted(true),
    onPointerLeave: ({ currentTarget }) => setWanted(currentTarget.contains(document.activeElement)),
    onFocus: () => setWanted(true),
    onBlur: ({ currentTarget, relatedTarget }) => setWanted(currentTarget.contains(relatedTarget)),
  };
  const actions = isWanted && <BarActions message={message} />;
  return recipientBar({ message, ownId, people, stream, color, actions, traits });
}

/** Without hooks, because the first paint uses it too. */
export function recipientBar({ message, ownId, people, stream, color, actions, traits }: BarProps): ReactElement {
  const conversation = conversationOf(message, ownId);
  const path = pathOf(conversation);
  // The reader may not see the stream any more, and may not have the list of people yet: the message names both.
  const { display_recipient: recipient } = message;
  if (conversation.kind === 'private' && typeof recipient !== 'string') {
    const nameIn = (id: number) => people.get(id)?.full_name ?? recipient.find((each) => each.id === id)?.full_name;
    const names = conversation.userIds.map(nameIn).join(', ');
    return (
      <div className={classes.bar} data-bar data-private {...traits}>
        <Icon name="mail" size={15} />
        <PlaceLink href={path}>{t('list.privateWith', { names })}</PlaceLink>
        {actions}
      </div>
    );
  }
  const streamId = message.stream_id!;
  const name = stream?.name ?? (typeof recipient === 'string' ? recipient : t('view.unknownStream'));
  return (
    <div className={classes.bar} data-bar style={color === undefined ? {} : { borderLeftColor: color }} {...traits}>
      {stream && <StreamIcon stream={stream} color={color} size={15} />}
      <PlaceLink href={pathOf({ kind: 'stream', streamId })}>{name}</PlaceLink>
      <span className={classes.crumb}>›</span>
      <PlaceLink href={path} className={classes.topic}>
        {message.match_subject === undefined ? message.subject : <RichText html={message.match_subject} />}
      </PlaceLink>
      {actions}
    </div>
  );
}
