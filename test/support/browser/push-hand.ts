/** Hands pushes to a page's service worker, as a browser does that has received them from its push service. */
import { setTimeout as wait } from 'node:timers/promises';
import type { TestDevice, PushedPayload } from '../servers/push-service';
import { PATIENCE_MS, until } from '../until';
import type { TestPage } from './browser';

/** In place of the browser's subscription, which needs a service outside. It outlives the page, as that does; workers keep none. */
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
    subscribe: ({ userVisibleOnly: isShown, applicationServerKey: key }: PushSubscriptionOptionsInit) => {
      // Bytes, or their 87 characters.
      const { length } = key as Uint8Array | string;
      if (!isShown || length !== (typeof key === 'string' ? 87 : 65)) throw new Error('wrong options');
      globalThis.localStorage?.setItem('test-push', 'on');
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
  /** Until the worker has done all that it does with it: nothing of it happens later. */
  deliver(payload: PushedPayload): Promise<void>;
  notes(): Promise<Note[]>;
  /** Until there is no notification with this title. */
  gone(title: string): Promise<unknown>;
  /** Delivers it, and waits until it shows. */
  arrives(payload: PushedPayload, title: string, body?: string): Promise<Note>;
  /** As if somebody had clicked it, or one of its actions. */
  click(tag: string, action: string): Promise<void>;
  /** As if the push service had given the browser another address, without a word about the old one. */
  renew(address: TestDevice['address']): Promise<void>;
}

interface Deliveries {
  /** The number of the last that has come. */
  last: number;
  underWay: number;
}

/** In the worker: counts the pushes that have come and those that it still works on. */
const countPushes = (): void => {
  interface Extendable {
    readonly data?: { json(): { delivery: number } } | null;
    waitUntil(work: Promise<unknown>): void;
  }
  const { ExtendableEvent: Extended } = self as unknown as { ExtendableEvent: { prototype: Extendable } };
  const plain = Object.getOwnPropertyDescriptor(Extended.prototype, 'waitUntil')!.value as Extendable['waitUntil'];
  const deliveries: Deliveries = { last: 0, underWay: 0 };
  Extended.prototype.waitUntil = function (work) {
    plain.call(this, work);
    if (!this.data) return;
    deliveries.last = this.data.json().delivery;
    deliveries.underWay += 1;
    const end = (): void => void (deliveries.underWay -= 1);
    work.then(end, end);
  };
  Object.assign(self, { deliveries });
};

/** Of the registration with this scope, which there is already. */
export async function openPushHand(page: TestPage, scope: string): Promise<PushHand> {
  const context = page.context();
  await until(() => context.serviceWorkers().length > 0);
  const worker = context.serviceWorkers()[0]!;
  await worker.evaluate(countPushes);
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
  let count = 0;
  const isDone = async (delivery: number, milliseconds: number): Promise<boolean> => {
    for (const start = Date.now(); Date.now() - start < milliseconds; await wait(20)) {
      const { last, underWay } = await worker.evaluate(
        () => (self as unknown as { deliveries: Deliveries }).deliveries,
      );
      if (last === delivery && underWay === 0) return true;
    }
    return false;
  };
  /** The DevTools lose some that come while a page is being loaded: those are handed over again. */
  const deliver = async (payload: PushedPayload): Promise<void> => {
    for (let patience = 1000; patience < PATIENCE_MS; patience *= 2) {
      const delivery = (count += 1);
      const data = JSON.stringify({ ...payload, delivery });
      await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
      if (await isDone(delivery, patience)) return;
    }
    throw new Error('the worker got no push');
  };
  const notes = (): Promise<Note[]> =>
    page.evaluate(async (path) => {
      const registration = await navigator.serviceWorker.getRegistration(path);
      const shown = (await registration?.getNotifications()) ?? [];
      return shown.map(({ title, body, tag }) => ({ title, body, tag }));
    }, scope);
  return {
    deliver,
    notes,
    gone: (title) => until(async () => (await notes()).every((note) => note.title !== title)),
    async arrives(payload, title, body) {
      await deliver(payload);
      const shown = await until(async () =>
        (await notes()).find((note) => note.title === title && (body === undefined || note.body === body)),
      );
      return shown!;
    },
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
    async renew(address) {
      await worker.evaluate(subscribeInstead, address);
      await worker.evaluate(() => {
        const { ExtendableEvent: Extended } = self as unknown as { ExtendableEvent: new (name: string) => Event };
        self.dispatchEvent(new Extended('pushsubscriptionchange'));
      });
    },
  };
}
