/** What the portal's page has to do with pushes. */
import { create } from 'zustand';
import { RequestError } from '../../shared/http/request';
import { closeRead, heedPushes } from '../../shared/push/heed-pushes';
import { api } from '../http/api';
import { useInbox } from '../texting/inbox';
import type { Conversation } from '../texting/wire';
import { pushApi } from './push-api';

/** The conversation in whose field the cursor shall be. */
export const useReply = create<{ readonly to: string }>(() => ({ to: '' }));

export const heedPortalPushes = (): (() => void) =>
  heedPushes({
    api: pushApi,
    reply: (path) => useReply.setState({ to: path.split('/').at(-1)! }),
    isRead: ({ tag }) => isRead(tag),
    watch: (changed) =>
      useInbox.subscribe(({ conversations }, before) => {
        if (conversations !== before.conversations) changed();
      }),
  });

export const closeReadPushes = (): Promise<void> => closeRead(pushApi.scope, ({ tag }) => isRead(tag));

/** By the tag (src/telephony/model/push/push-news.ts), from the server: a page may not know yet of what it is about. */
async function isRead(tag: string): Promise<boolean> {
  const id = tag.slice(2);
  try {
    if (tag.startsWith('c:'))
      return (await api.get<Conversation>(`/texting/conversations/${id}`)).unread_msg_count === 0;
    if (tag.startsWith('f:')) return (await api.get<{ is_read: boolean }>(`/fax/messages/${id}`)).is_read;
    return false;
  } catch (error) {
    // What is gone counts as read.
    return error instanceof RequestError && error.status === 404;
  }
}
