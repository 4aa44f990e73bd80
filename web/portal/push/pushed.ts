/** What the page has to do with pushes: it opens what was clicked, and closes notifications of what was read. */
import { create } from 'zustand';
import { navigate } from 'wouter/use-browser-location';
import { RequestError } from '../../shared/http/request';
import { openClicked } from '../../shared/push/clicked';
import { renewPush } from '../../shared/push/push-device';
import { api } from '../http/api';
import { useInbox } from '../texting/inbox';
import type { Conversation } from '../texting/wire';
import { pushApi } from './push-api';

const REPLY = '#reply';
/** Reading changes a conversation more than once. */
const SOON_MS = 500;

/** The conversation in whose field the cursor shall be. */
export const useReply = create<{ readonly to: string }>(() => ({ to: '' }));

const reply = (path: string): void => useReply.setState({ to: path.split('/').at(-1)! });

export function heedPushes(): () => void {
  if (!navigator.serviceWorker) return () => undefined;
  if (location.hash === REPLY) {
    history.replaceState(history.state, '', location.pathname);
    reply(location.pathname);
  }
  const stopOpening = openClicked(({ open, isReply }) => {
    navigate(open);
    if (isReply) reply(open);
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const closeSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void closeRead().catch(() => undefined);
    }, SOON_MS);
  };
  const stop = useInbox.subscribe(({ conversations }, before) => {
    if (conversations !== before.conversations) closeSoon();
  });
  closeSoon();
  void renewPush(pushApi);
  return () => {
    stopOpening();
    clearTimeout(timer);
    stop();
  };
}

interface Told {
  readonly ids?: readonly number[];
}

const idsOf = ({ data }: Notification): readonly number[] => (data as Told | null)?.ids ?? [];

/** Asks the server: a page may not know yet of what a notification is about. */
export async function closeRead(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(pushApi.scope);
  const notes = (await registration?.getNotifications()) ?? [];
  if (!registration || notes.length === 0) return;
  let left = 0;
  for (const note of notes) left += await closeIfRead(registration, note);
  const badged = navigator as Partial<Pick<Navigator, 'clearAppBadge' | 'setAppBadge'>>;
  await (left > 0 ? badged.setAppBadge?.(left) : badged.clearAppBadge?.());
}

/** Returns how much of it is left. */
async function closeIfRead(registration: ServiceWorkerRegistration, note: Notification): Promise<number> {
  const isOver = await isRead(note.tag);
  const [now] = await registration.getNotifications({ tag: note.tag });
  if (!now) return 0;
  // Meanwhile another may have taken its place.
  const isSame = idsOf(now).join() === idsOf(note).join();
  if (!isOver || !isSame) return idsOf(now).length;
  now.close();
  return 0;
}

/** By the tag (src/telephony/model/push/push-news.ts). What is gone counts as read. */
async function isRead(tag: string): Promise<boolean> {
  const id = tag.slice(2);
  try {
    if (tag.startsWith('c:'))
      return (await api.get<Conversation>(`/texting/conversations/${id}`)).unread_msg_count === 0;
    if (tag.startsWith('f:')) return (await api.get<{ is_read: boolean }>(`/fax/messages/${id}`)).is_read;
    return false;
  } catch (error) {
    return error instanceof RequestError && error.status === 404;
  }
}
