/**
 * Push notifications from the switch in the settings to the click: the page subscribes with keys of the test, the server
 * pushes to a service of the test, and what the device decrypts is given to the service worker.
 */
import {
  hasBrowser,
  messageBox,
  openBrowser,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../../support/browser/browser';
import { openPushHand, subscribeInstead, type PushHand } from '../../support/browser/push-hand';
import { callerOf, type Caller } from '../../support/chat/people';
import { ownDevice, PUSHING, type OwnDevice } from '../../support/pushing';
import { talker, type Talker } from '../../support/chat/room';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { startWorkers } from '../../support/kernel/workers';
import { openPushService, type PushedPayload, type PushService } from '../../support/servers/push-service';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('Push notifications in the chat', () => {
  let cluster: Cluster;
  let node: TestNode;
  let service: PushService;
  let browser: TestBrowser;
  let page: TestPage;
  let device: OwnDevice;
  let hand: PushHand;
  let owner: Talker;
  let member: Caller;

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
    hand = await openPushHand(page, `${node.url}/`);
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
    await service.close();
  });

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
    await hand.arrives(payload, 'Notifications work');
    await page.reload();
    await page.getByRole('button', { name: 'Send a test' }).waitFor();
    expect((await member.get('/push_devices')).body.devices).toHaveLength(1);
  });

  test('A missed message is one notification of its conversation, which a click on "Mark as read" ends', async () => {
    const first = await owner.toPeople([member.email], 'are you **there**?');
    expect(await hand.arrives((await device.got(2)).payload, 'Olive Owner')).toMatchObject({ body: 'are you there?' });
    const second = await owner.toPeople([member.email], 'hello?');
    const { tag } = await hand.arrives((await device.got(3)).payload, 'Olive Owner', 'hello?');
    expect((await hand.notes()).filter(({ title }) => title === 'Olive Owner')).toHaveLength(1);
    await hand.click(tag, 'read');
    await until(async () => (await flagsOf(second)).includes('read'));
    expect(await flagsOf(first)).toContain('read');
    expect((await hand.notes()).filter((note) => note.tag === tag)).toEqual([]);
    // The other devices of the user are told, and this one.
    expect((await device.got(4)).payload).toMatchObject({ kind: 'read', tags: [tag], badge: 0 });
  });

  test('"Reply" opens the conversation with the cursor in the box, in a page that is open and in a new one', async () => {
    await owner.toStream('test', 'a question', '@**Max Member** what do you think?');
    const { payload } = (await until(() =>
      device.pushes.find((push) => push.payload.title === 'Olive Owner (#test › a question)'),
    ))!;
    const { tag } = await hand.arrives(payload, 'Olive Owner (#test › a question)');
    await hand.click(tag, 'reply');
    await page.waitForURL(/\/topic\/a%20question/);
    const isFocused = () => messageBox(page).evaluate((box) => box === document.activeElement);
    await messageBox(page).waitFor();
    await until(isFocused);
    // What is typed now is the answer, which a desktop shows.
    const desktop = await browser.page();
    await signInAs(desktop, node.url, 'Olive Owner');
    await desktop.goto(node.url + payload.path!);
    await page.keyboard.type('an answer');
    await page.keyboard.press('Control+Enter');
    await desktop.getByRole('article').filter({ hasText: 'an answer' }).waitFor();
    await desktop.context().close();
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
    await hand.arrives(payload, 'Olive Owner');
    await page.goto(node.url + payload.path!);
    await hand.gone('Olive Owner');
    // Whoever has gone somewhere else looks at it no more.
    await page.evaluate(() => history.pushState(null, '', '/settings/notifications'));
    await hand.arrives({ ...payload, ids: [] }, 'Olive Owner');
    await page.goto(`${node.url}/settings/notifications`);
    const id = await owner.toStream('test', 'elsewhere', '@**Max Member** read elsewhere');
    const push = (kind: string) =>
      until(() => device.pushes.find((each) => each.payload.kind === kind && isAbout(each.payload)));
    const isAbout = ({ tag = '', tags = [] }: PushedPayload) =>
      [tag, ...tags].some((each) => each.endsWith('elsewhere'));
    await hand.arrives((await push('message'))!.payload, 'Olive Owner (#test › elsewhere)');
    await member.post('/messages/flags', { messages: `[${id}]`, op: 'add', flag: 'read' });
    const { payload: withdrawn } = (await push('read'))!;
    await hand.deliver(withdrawn);
    await hand.gone('Olive Owner (#test › elsewhere)');
  });

  test('A browser that has got another address from its push service is pushed to there', async () => {
    const next = ownDevice(service.device(), 0);
    await hand.renew(next.address);
    await until(async () => (await member.get('/push_devices')).body.devices.length === 2);
    await owner.toPeople([member.email], 'to both addresses');
    await until(() => next.pushes.some(({ payload }) => payload.body?.includes('to both addresses')));
  });

  test('A device that was removed elsewhere stays off when its page is opened again', async () => {
    await page.goto(`${node.url}/settings/notifications`);
    await page.getByRole('button', { name: 'Send a test' }).waitFor();
    const all = async () => (await member.get('/push_devices')).body.devices as { id: number }[];
    for (const { id } of await all()) await member.del(`/push_devices/${id}`);
    await page.reload();
    await until(() => page.evaluate(() => localStorage.getItem('test-push') === null));
    expect(await all()).toEqual([]);
    await page.reload();
    await turn();
    await page.getByRole('button', { name: 'Send a test' }).waitFor();
    expect(await all()).toHaveLength(1);
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
    await hand.arrives({ kind: 'test', tag: 'test', title: 'Still here', body: '', path: '/' }, 'Still here');
    await page.evaluate(async () => {
      const token = /partyline_token=([^;]+)/.exec(document.cookie)![1]!;
      await fetch('/web/session', { method: 'DELETE', headers: { 'X-Partyline-Token': token } });
    });
    expect((await member.get('/push_devices')).body.devices).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'Max Member' }).waitFor();
    await until(async () => (await hand.notes()).length === 0);
    await until(() => page.evaluate(() => localStorage.getItem('test-push') === null));
  });
});
