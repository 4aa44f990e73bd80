/** What a page has to do with pushes: it opens what was clicked, and closes notifications of what was read. */
import { navigate } from 'wouter/use-browser-location';
import { openClicked } from './clicked';
import { renewPush, type PushApi } from './push-device';

const REPLY = '#reply';
/** Reading changes much, one after the other. */
const SOON_MS = 500;

export interface Note {
  readonly tag: string;
  readonly ids: readonly number[];
}

export interface Heeding {
  readonly api: PushApi;
  /** Puts the cursor where one writes to this conversation. */
  readonly reply: (path: string) => void;
  /** Whether all that the notification is about was read. */
  readonly isRead: (note: Note) => boolean | Promise<boolean>;
  /** Calls back whenever something may have been read. Returns a function that ends it. */
  readonly watch: (changed: () => void) => () => void;
}

export function heedPushes({ api, reply, isRead, watch }: Heeding): () => void {
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
      void closeRead(api.scope, isRead).catch(() => undefined);
    }, SOON_MS);
  };
  const stopWatching = watch(closeSoon);
  closeSoon();
  void renewPush(api);
  return () => {
    stopOpening();
    clearTimeout(timer);
    stopWatching();
  };
}

const idsOf = ({ data }: Notification): readonly number[] =>
  (data as { readonly ids?: readonly number[] } | null)?.ids ?? [];

/** What stays is counted in the number at the icon. */
export async function closeRead(scope: PushApi['scope'], isRead: Heeding['isRead']): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(scope);
  const notes = (await registration?.getNotifications()) ?? [];
  if (!registration || notes.length === 0) return;
  let left = 0;
  for (const note of notes) left += await closeIfRead(registration, note, isRead);
  const badged = navigator as Partial<Pick<Navigator, 'clearAppBadge' | 'setAppBadge'>>;
  await (left > 0 ? badged.setAppBadge?.(left) : badged.clearAppBadge?.());
}

/** Returns how much of it is left. */
async function closeIfRead(
  registration: ServiceWorkerRegistration,
  note: Notification,
  isRead: Heeding['isRead'],
): Promise<number> {
  const ids = idsOf(note);
  const isOver = await isRead({ tag: note.tag, ids });
  const [now] = await registration.getNotifications({ tag: note.tag });
  if (!now) return 0;
  // Meanwhile another may have taken its place.
  if (!isOver || idsOf(now).join() !== ids.join()) return idsOf(now).length;
  now.close();
  return 0;
}
