/** Hands pushes to a page's service worker, as a browser does that has received them from its push service. */
import type { TestDevice, PushedPayload } from '../servers/push-service';
import { until } from '../until';
import type { TestPage } from './browser';

/** In place of the browser's subscription, which needs a service outside. It outlives the page, as that does. */
export const subscribeInstead = (address: TestDevice['address']): void => {
  const { endpoint, ...keys } = address;
  const subscription = {
    endpoint,
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: () => {
      localStorage.removeItem('test-push');
      return Promise.resolve(true);
    },
  };
  Object.assign(PushManager.prototype, {
    subscribe: (options: { userVisibleOnly: boolean; applicationServerKey: Uint8Array }) => {
      if (!options.userVisibleOnly || options.applicationServerKey.length !== 65) throw new Error('wrong options');
      localStorage.setItem('test-push', 'on');
      return Promise.resolve(subscription);
    },
    getSubscription: () => Promise.resolve(localStorage.getItem('test-push') === null ? null : subscription),
  });
};

export interface Note {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
}

export interface PushHand {
  deliver(payload: PushedPayload): Promise<unknown>;
  notes(): Promise<Note[]>;
  /** Handed over again until it shows: the DevTools lose some that come while a page is being loaded. */
  arrives(payload: PushedPayload, title: string, body?: string): Promise<Note>;
  /** As if somebody had clicked it, or one of its actions. */
  click(tag: string, action: string): Promise<void>;
}

/** Of the registration with this scope, which there is already. */
export async function openPushHand(page: TestPage, scope: string): Promise<PushHand> {
  const context = page.context();
  await until(() => context.serviceWorkers().length > 0);
  const worker = context.serviceWorkers()[0]!;
  const session = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === scope);
      if (own) resolve(own.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  const origin = `${new URL(scope).origin}/`;
  const deliver = (payload: PushedPayload) =>
    session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(payload) });
  const notes = (): Promise<Note[]> =>
    page.evaluate(async (path) => {
      const registration = await navigator.serviceWorker.getRegistration(path);
      const shown = (await registration?.getNotifications()) ?? [];
      return shown.map(({ title, body, tag }) => ({ title, body, tag }));
    }, scope);
  return {
    deliver,
    notes,
    arrives: (payload, title, body) =>
      until(
        async () => {
          await deliver(payload);
          return (await notes()).find((note) => note.title === title && (body === undefined || note.body === body));
        },
        (shown) => shown !== undefined,
      ).then((shown) => shown!),
    click: (tag, action) =>
      worker.evaluate(
        async ([wanted, chosen]) => {
          const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
          const [notification] = await registration.getNotifications({ tag: wanted! });
          const Click = (self as unknown as { NotificationEvent: new (name: string, init: object) => Event })
            .NotificationEvent;
          self.dispatchEvent(new Click('notificationclick', { notification, action: chosen }));
        },
        [tag, action],
      ),
  };
}
