/** What the chat's page has to do with pushes. */
import { heedPushes } from '../../shared/push/heed-pushes';
import { openConversation } from '../compose/state';
import { messageById } from '../data/messages';
import { placeAt } from '../data/narrow';
import { useChat } from '../data/store';
import { pushApi } from './push-api';

function reply(path: string): void {
  const narrow = placeAt(path)?.narrow;
  if (narrow) openConversation(narrow);
}

/** By the message itself: one that this page does not have may be unread, and so may one that came before its event. */
const isRead = (id: number): boolean => messageById(id)?.flags.includes('read') === true;

export const heedChatPushes = (): (() => void) =>
  heedPushes({
    api: pushApi,
    reply,
    isRead: ({ ids }) => ids.length > 0 && ids.every(isRead),
    watch: (changed) =>
      useChat.subscribe(({ unread }, before) => {
        if (unread !== before.unread) changed();
      }),
  });
