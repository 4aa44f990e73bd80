/** Push notifications of this browser: its subscription at its push service, which the server is told of. */
import { RequestError } from '../http/request';

export interface PushAddress {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface PushDevice {
  readonly id: number;
  readonly agent: string;
  readonly seen_at: number;
  readonly current: boolean;
}

export interface PushDevices {
  /** Null if the server sends no pushes. */
  readonly public_key: string | null;
  readonly devices: readonly PushDevice[];
}

/** How a product's page speaks of devices with its server. */
export interface PushApi {
  readonly scope: '/' | '/portal';
  readonly list: () => Promise<PushDevices>;
  /** Renewed, it is refused if the server has ended it. */
  readonly add: (address: PushAddress & { readonly renew?: true }) => Promise<unknown>;
  readonly remove: (id: number) => Promise<unknown>;
  readonly test: (id: number) => Promise<unknown>;
}

export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

async function subscription(scope: PushApi['scope']): Promise<PushSubscription | undefined> {
  if (!canPush()) return undefined;
  const registration = await navigator.serviceWorker.getRegistration(scope);
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

export const isPushOn = async (scope: PushApi['scope']): Promise<boolean> => (await subscription(scope)) !== undefined;

function addressOf(subscribed: PushSubscription): PushAddress {
  const { endpoint = '', keys = {} } = subscribed.toJSON();
  return { endpoint, p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' };
}

/**
 * One at a time in all tabs: a page that has just been loaded must not tell the server of a subscription that is being
 * ended. Without locks it may, until the next push fails.
 */
const inTurn = <Result>(scope: PushApi['scope'], work: () => Promise<Result>): Promise<Result> =>
  'locks' in navigator ? navigator.locks.request(`partyline-push ${scope}`, work) : work();

/** Returns false if the user does not allow it. */
export async function turnPushOn({ scope, add }: PushApi, publicKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const registration = await activeWorker(scope);
  return inTurn(scope, async () => {
    // It may be bound to a key that the server no longer has.
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    const applicationServerKey = bytesOf(publicKey);
    const subscribed = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    await add(addressOf(subscribed));
    return true;
  });
}

export async function turnPushOff(scope: PushApi['scope']): Promise<void> {
  if (!canPush()) return;
  await inTurn(scope, async () => void (await (await subscription(scope))?.unsubscribe()));
}

/** It was removed from another device, or the push service no longer knew it. */
const isEnded = (error: unknown): boolean =>
  error instanceof RequestError && (error.code === 'NO_SUCH_PUSH_DEVICE' || error.status === 404);

/** Tells the server that this browser is still there, perhaps with another session. What was ended stays off. */
export async function renewPush({ scope, add }: Pick<PushApi, 'add' | 'scope'>): Promise<void> {
  if (!canPush()) return;
  await inTurn(scope, async () => {
    const subscribed = await subscription(scope);
    if (!subscribed || Notification.permission !== 'granted') return;
    await add({ ...addressOf(subscribed), renew: true }).catch(async (error: unknown) => {
      if (isEnded(error)) await subscribed.unsubscribe();
    });
  });
}

/** Nobody is signed in: this browser neither shows nor receives anything of whoever was. */
export async function forgetPush(scope: PushApi['scope']): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(scope);
  for (const note of (await registration?.getNotifications?.()) ?? []) note.close();
  await (navigator as Partial<Pick<Navigator, 'clearAppBadge'>>).clearAppBadge?.().catch(() => undefined);
  await turnPushOff(scope);
}

async function activeWorker(scope: PushApi['scope']): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register('/worker.js', { scope, updateViaCache: 'none' });
  const coming = registration.active ? null : (registration.installing ?? registration.waiting);
  if (coming)
    await new Promise<void>((resolve, reject) => {
      coming.addEventListener('statechange', () => {
        if (coming.state === 'activated') resolve();
        if (coming.state === 'redundant') reject(new Error('The service worker could not be installed'));
      });
    });
  return registration;
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.codePointAt(0)!);
}
