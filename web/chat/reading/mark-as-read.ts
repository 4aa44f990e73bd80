/** Marks many messages as read at once, and takes it back: exactly those messages are then unread again. */
import { t } from '../../shared/texts/texts';
import { tell, toast } from '../../shared/ui/toasts';
import { stopReading } from '../list/use-read-on-scroll';
import { markAllRead, markStreamRead, markTopicRead, sendFlag } from '../data/actions';
import { setFlag } from '../data/apply-messages';
import { messageById } from '../data/messages';
import { chat, useChat } from '../data/store';
import { addUnread, isOfStream, unreadWhere, type UnreadMessage } from '../data/unread';

/** Everything that is unread. */
export const markEverythingRead = (): Promise<void> => mark(() => true, markAllRead);

export const markWholeStreamRead = (streamId: number): Promise<void> =>
  mark(
    (conversation) => isOfStream(conversation, streamId),
    () => markStreamRead(streamId),
  );

/** All private conversations. */
export const markPrivatesRead = (): Promise<void> =>
  mark(
    (conversation) => conversation.startsWith('p:'),
    (ids) => sendFlag(ids, 'read', true),
  );

/** A topic, or a private conversation. */
export function markConversationRead(key: string): Promise<void> {
  const [, streamId = '', ...name] = key.split(':');
  const topic = chat().unread.topicNames.get(key) ?? name.join(':');
  return mark(
    (conversation) => conversation === key,
    (ids) => (key.startsWith('p:') ? sendFlag(ids, 'read', true) : markTopicRead(Number(streamId), topic)),
  );
}

async function mark(
  isMeant: (conversation: string) => boolean,
  send: (ids: readonly number[]) => Promise<unknown>,
): Promise<void> {
  const marked = unreadWhere(chat().unread, isMeant);
  const ids = marked.map(({ id }) => id);
  // What the page does not know may still be unread on the server.
  await send(ids);
  if (ids.length === 0) return;
  setFlag(ids, 'read', true);
  const undo = { text: t('action.undo'), run: () => tell(makeUnread(marked)) };
  toast(t('list.markedRead', { count: ids.length }), false, undo);
}

async function makeUnread(marked: readonly UnreadMessage[]): Promise<void> {
  const ids = marked.map(({ id }) => id);
  // Otherwise those on the screen would be read again at once.
  stopReading();
  await sendFlag(ids, 'read', false);
  setFlag(
    ids.filter((id) => messageById(id)),
    'read',
    false,
  );
  useChat.setState(({ unread }) => ({ unread: addUnread(unread, marked) }));
}
