/** What the page has to do with pushes: it opens what was clicked, and closes notifications of what was read here. */
import { navigate } from 'wouter/use-browser-location';
import { openClicked } from '../../shared/push/clicked';
import { renewPush } from '../../shared/push/push-device';
import { openConversation } from '../compose/state';
import { messageById } from '../data/messages';
import { placeAt } from '../data/narrow';
import { useChat } from '../data/store';
import { pushApi } from './push-api';

const REPLY = '#reply';
/** Reading marks message after message. */
const SOON_MS = 500;

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
  const stop = useChat.subscribe(({ unread }, before) => {
    if (unread !== before.unread) closeSoon();
  });
  closeSoon();
  void renewPush(pushApi);
  return () => {
    stopOpening();
    clearTimeout(timer);
    stop();
  };
}

function reply(path: string): void {
  const narrow = placeAt(path)?.narrow;
  if (narrow) openConversation(narrow);
}

/** By the message itself: one that this page does not have may be unread, and so may one that came before its event. */
const isRead = (id: number): boolean => messageById(id)?.flags.includes('read') === true;

async function closeRead(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  const notes = (await registration?.getNotifications()) ?? [];
  if (notes.length === 0) return;
  let left = 0;
  for (const note of notes) {
    const { ids = [] } = (note.data ?? {}) as { readonly ids?: readonly number[] };
    if (ids.length > 0 && ids.every(isRead)) note.close();
    else left += ids.length;
  }
  const badged = navigator as Partial<Pick<Navigator, 'clearAppBadge' | 'setAppBadge'>>;
  await (left > 0 ? badged.setAppBadge?.(left) : badged.clearAppBadge?.());
}
