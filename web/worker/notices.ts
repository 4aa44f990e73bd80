/** Push notifications: one of each conversation, what can be done from it, and its end once it was read elsewhere. */
import { askChat, askPortal, isChat } from './server';

declare const self: ServiceWorkerGlobalScope;

/** What the server sends: src/kernel/push/push-messages.ts. */
type Pushed =
  | {
      readonly kind: 'message' | 'test';
      readonly tag: string;
      readonly path: string;
      readonly title: string;
      readonly body: string;
      readonly ids?: readonly number[];
      readonly badge?: number;
      /** The words of the actions that there are. */
      readonly read?: string;
      readonly reply?: string;
    }
  | { readonly kind: 'read'; readonly tags: readonly string[]; readonly badge: number };

/** What web/chat/notices/notify.ts and withdraw.ts know too. */
interface NoticeData {
  readonly path: string;
  readonly ids: readonly number[];
}

interface Action {
  readonly action: string;
  readonly title: string;
}

/** Not in the types of TypeScript, nor in all browsers. */
interface MoreOptions extends NotificationOptions {
  readonly actions?: readonly Action[];
  readonly renotify?: boolean;
}

export async function takePush(data: PushMessageData | null): Promise<void> {
  const pushed = data?.json() as Pushed | undefined;
  if (!pushed) return;
  if (pushed.kind === 'read') await Promise.all(pushed.tags.map(closeAll));
  else await show(pushed);
  if (pushed.badge !== undefined) await setBadge(pushed.badge);
}

async function closeAll(tag: string): Promise<void> {
  for (const note of await self.registration.getNotifications({ tag })) note.close();
}

async function show({ kind, tag, title, body, path, ids = [], read, reply }: Extract<Pushed, { title: string }>) {
  // Whoever tries it looks at the page where it is tried.
  if (kind === 'message' && (await isLookedAt(path))) return;
  const [known] = await self.registration.getNotifications({ tag });
  const before = (known?.data as NoticeData | undefined)?.ids ?? [];
  const actions = [
    ...(reply === undefined ? [] : [{ action: 'reply', title: reply }]),
    ...(read === undefined ? [] : [{ action: 'read', title: read }]),
  ];
  const data: NoticeData = { path, ids };
  const options: MoreOptions = {
    tag,
    body,
    data,
    actions,
    icon: '/icon-192.png',
    badge: '/icon-badge-96.png',
    // A push may come twice: the second time without a sound.
    renotify: !known || ids.some((id) => !before.includes(id)),
  };
  await self.registration.showNotification(title, options);
}

const plainPath = (path: string): string => path.replace(/\/near\/\d+$/, '').toLowerCase();

/** A page that does not answer within this time shows nothing. */
const ANSWER_MS = 1000;

/** Whether a page that has the focus shows the conversation. Its address here is the one that it was loaded with. */
async function isLookedAt(path: string): Promise<boolean> {
  const pages = await self.clients.matchAll({ type: 'window' });
  const places = await Promise.all(pages.filter(({ focused }) => focused).map(placeOf));
  return places.some((place) => place !== undefined && plainPath(place) === plainPath(path));
}

const placeOf = (page: Client): Promise<string | undefined> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(() => resolve(undefined), ANSWER_MS);
    port1.onmessage = ({ data }: MessageEvent<string>) => {
      clearTimeout(timer);
      resolve(data);
    };
    page.postMessage({ where: true }, [port2]);
  });

async function setBadge(count: number): Promise<void> {
  const navigator = self.navigator as Partial<Pick<WorkerNavigator, 'clearAppBadge' | 'setAppBadge'>>;
  await (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.());
}

export async function takeClick({ action, notification }: NotificationEvent): Promise<void> {
  const { tag } = notification;
  const { path, ids } = notification.data as NoticeData;
  notification.close();
  if (action !== 'read') return openPage(path, action === 'reply');
  if (!(await markRead(tag, ids))) await openPage(path, false);
}

/** In a page that is open, if there is one. */
async function openPage(path: string, isReply: boolean): Promise<void> {
  const { scope } = self.registration;
  const pages = await self.clients.matchAll({ type: 'window' });
  const page = pages.find(({ url }) => url.startsWith(scope));
  if (!page) {
    await self.clients.openWindow(isReply ? `${path}#reply` : path);
    return;
  }
  await page.focus().catch(() => page);
  page.postMessage({ open: path, isReply });
}

/** Returns whether it worked. */
async function markRead(tag: string, ids: readonly number[]): Promise<boolean> {
  const fields = { messages: JSON.stringify(ids), op: 'add', flag: 'read' };
  const answer = isChat ? askChat('/messages/flags', fields) : askPortal('/push-read', { tag, ids });
  return (await answer)?.ok === true;
}
