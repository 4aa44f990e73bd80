/**
 * Push notifications from the switch in the settings to the click: the page subscribes with keys of the test, the server
 * pushes to a service of the test, and what the device decrypts is given to the service worker.
 */
import type { Worker } from 'playwright-core';
import {
  hasBrowser,
  messageBox,
  openBrowser,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../../support/browser/browser';
import { callerOf, type Caller } from '../../support/chat/people';
import { ownDevice, PUSHING } from '../../support/pushing';
import { talker, type Talker } from '../../support/chat/room';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { startWorkers } from '../../support/kernel/workers';
import {
  openPushService,
  type PushedPayload,
  type PushService,
  type TestDevice,
} from '../../support/servers/push-service';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

/** In place of the browser's subscription, which needs a service outside. It outlives the page, as that does. */
const subscribeInstead = (address: TestDevice['address']): void => {
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

inBrowser('Push notifications in the chat', () => {
  let cluster: Cluster;
  let node: TestNode;
  let service: PushService;
  let browser: TestBrowser;
  let page: TestPage;
  let worker: Worker;
  let device: ReturnType<typeof ownDevice>;
  let owner: Talker;
  let member: Caller;
  let deliver: (payload: PushedPayload) => Promise<unknown>;

  beforeAll(async () => {
    service = await openPushService();
    cluster = await openCluster(PUSHING);
    await cluster.seed();
    node = await cluster.node();
    await startWorkers(cluster, 'chat-missed-messages', 'chat-push', 'chat-read-marks');
    browser = await openBrowser();
    owner = await talker(node, 'owner@example.com');
    member = await callerOf(node, 'member@example.com');
    // The page says that its reader is there.
    await member.patch('/settings/notifications', { enable_online_push_notifications: 'true' });
    device = ownDevice(service.device(), 0);
    page = await browser.page({ serviceWorkers: 'allow', viewport: { width: 360, height: 740 } });
    const context = page.context();
    await context.grantPermissions(['notifications'], { origin: node.url });
    await context.addInitScript(subscribeInstead, device.address);
    await signInAs(page, node.url, 'Max Member');
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    worker = context.serviceWorkers()[0]!;
    const hand = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      hand.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const chat = registrations.find(({ scopeURL }) => scopeURL === `${node.url}/`);
        if (chat) resolve(chat.registrationId);
      });
    });
    await hand.send('ServiceWorker.enable');
    const registrationId = await registered;
    deliver = (payload) =>
      hand.send('ServiceWorker.deliverPushMessage', {
        origin: `${node.url}/`,
        registrationId,
        data: JSON.stringify(payload),
      });
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
    await service.close();
  });

  interface Note {
    readonly title: string;
    readonly body: string;
    readonly tag: string;
  }
  const notes = (): Promise<Note[]> =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }));
    });
  /** Handed over again until it shows: the DevTools lose some that come while a page is being loaded. */
  const arrives = (payload: PushedPayload, title: string, body?: string): Promise<Note> =>
    until(
      async () => {
        await deliver(payload);
        return (await notes()).find((note) => note.title === title && (body === undefined || note.body === body));
      },
      (shown) => shown !== undefined,
    ).then((shown) => shown!);
  /** As if somebody had clicked it. */
  const click = (tag: string, action: string) =>
    worker.evaluate(
      async ([wanted, chosen]) => {
        const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
        const [notification] = await registration.getNotifications({ tag: wanted! });
        const Click = (self as unknown as { NotificationEvent: new (name: string, init: object) => Event })
          .NotificationEvent;
        self.dispatchEvent(new Click('notificationclick', { notification, action: chosen }));
      },
      [tag, action],
    );
  const turn = async (): Promise<void> => {
    const own = page.getByRole('switch', { name: 'Push notifications to this device' });
    await own.waitFor({ state: 'attached' });
    await until(() => own.isEnabled());
    await own.press('Space');
  };
  const flagsOf = async (id: number): Promise<string[]> =>
    (await member.get('/messages', { anchor: String(id), num_before: '0', num_after: '0' })).body.messages[0].flags;

  test('They are turned on in the settings, and a test arrives', async () => {
    await page.goto(`${node.url}/settings/notifications`);
    await turn();
    await page.getByRole('button', { name: 'Send a test' }).click();
    const { payload } = await device.got(1);
    await arrives(payload, 'Notifications work');
    await page.reload();
    await page.getByRole('button', { name: 'Send a test' }).waitFor();
    expect((await member.get('/push_devices')).body.devices).toHaveLength(1);
  });

  test('A missed message is one notification of its conversation, which a click on "Mark as read" ends', async () => {
    const first = await owner.toPeople([member.email], 'are you **there**?');
    expect(await arrives((await device.got(2)).payload, 'Olive Owner')).toMatchObject({ body: 'are you there?' });
    const second = await owner.toPeople([member.email], 'hello?');
    const { tag } = await arrives((await device.got(3)).payload, 'Olive Owner', 'hello?');
    expect((await notes()).filter(({ title }) => title === 'Olive Owner')).toHaveLength(1);
    await click(tag, 'read');
    await until(async () => (await flagsOf(second)).includes('read'));
    expect(await flagsOf(first)).toContain('read');
    expect((await notes()).filter((note) => note.tag === tag)).toEqual([]);
    // The other devices of the user are told, and this one.
    expect((await device.got(4)).payload).toMatchObject({ kind: 'read', tags: [tag], badge: 0 });
  });

  test('"Reply" opens the conversation with the cursor in the box, in a page that is open and in a new one', async () => {
    await owner.toStream('test', 'a question', '@**Max Member** what do you think?');
    const { payload } = (await until(() =>
      device.pushes.find((push) => push.payload.title === 'Olive Owner (#test › a question)'),
    ))!;
    const { tag } = await arrives(payload, 'Olive Owner (#test › a question)');
    await click(tag, 'reply');
    await page.waitForURL(/\/topic\/a%20question/);
    const isFocused = () => messageBox(page).evaluate((box) => box === document.activeElement);
    await messageBox(page).waitFor();
    await until(isFocused);
    // An address that differs in its hash alone would not be a new page.
    await page.goto(`${node.url}/settings/notifications`);
    await page.goto(`${node.url}${payload.path}#reply`);
    await messageBox(page).waitFor();
    await until(isFocused);
    await until(() => new URL(page.url()).hash === '');
    expect(page.troubles).toEqual([]);
  });

  test('What is read in the page is shown no more; what was read elsewhere is withdrawn', async () => {
    await page.goto(`${node.url}/settings/notifications`);
    await page.getByRole('button', { name: 'Send a test' }).waitFor();
    const count = device.pushes.length;
    await owner.toPeople([member.email], 'read in the page');
    const { payload } = (await until(() =>
      device.pushes.slice(count).find((push) => push.payload.body === 'read in the page'),
    )) as { payload: PushedPayload };
    await arrives(payload, 'Olive Owner');
    await page.goto(node.url + payload.path!);
    await until(async () => (await notes()).every(({ title }) => title !== 'Olive Owner'));
    // Whoever has gone somewhere else looks at it no more.
    await page.evaluate(() => history.pushState(null, '', '/settings/notifications'));
    await arrives({ ...payload, ids: [] }, 'Olive Owner');
    await page.goto(`${node.url}/settings/notifications`);
    const id = await owner.toStream('test', 'elsewhere', '@**Max Member** read elsewhere');
    const push = (kind: string) =>
      until(() => device.pushes.find((each) => each.payload.kind === kind && isAbout(each.payload)));
    const isAbout = ({ tag = '', tags = [] }: PushedPayload) =>
      [tag, ...tags].some((each) => each.endsWith('elsewhere'));
    await arrives((await push('message'))!.payload, 'Olive Owner (#test › elsewhere)');
    await member.post('/messages/flags', { messages: `[${id}]`, op: 'add', flag: 'read' });
    const { payload: withdrawn } = (await push('read'))!;
    await until(async () => {
      await deliver(withdrawn);
      return (await notes()).every(({ title }) => title !== 'Olive Owner (#test › elsewhere)');
    });
  });

  test('They are turned off in the settings, and whoever signs out takes their notifications along', async () => {
    // A page that has just been loaded tells the server that this browser is still there: here, as late as can be.
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const isRenewal = (url: string, method: string) => url.endsWith('/api/v1/push_devices') && method === 'POST';
    await page.route('**/api/v1/push_devices', async (route) => {
      if (isRenewal(route.request().url(), route.request().method())) await released;
      await route.continue();
    });
    const asked = page.waitForRequest((request) => isRenewal(request.url(), request.method()));
    const renewed = page.waitForResponse((answer) => isRenewal(answer.url(), answer.request().method()));
    await page.goto(`${node.url}/settings/notifications`);
    await asked;
    await turn();
    await page
      .getByRole('switch', { name: 'Push notifications to this device', disabled: true })
      .waitFor({ state: 'attached' });
    release();
    await renewed;
    await until(async () => (await member.get('/push_devices')).body.devices.length === 0);
    await page.unrouteAll({ behavior: 'wait' });
    await turn();
    await page.getByRole('button', { name: 'Send a test' }).waitFor();
    await arrives({ kind: 'test', tag: 'test', title: 'Still here', body: '', path: '/' }, 'Still here');
    await page.evaluate(async () => {
      const token = /partyline_token=([^;]+)/.exec(document.cookie)![1]!;
      await fetch('/web/session', { method: 'DELETE', headers: { 'X-Partyline-Token': token } });
    });
    expect((await member.get('/push_devices')).body.devices).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'Max Member' }).waitFor();
    await until(async () => (await notes()).length === 0);
    await until(() => page.evaluate(() => localStorage.getItem('test-push') === null));
  });
});
