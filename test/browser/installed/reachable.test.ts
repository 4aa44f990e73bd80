/**
 * One telephone from end to end: it installs the chat, starts it without a network, gets a push while the chat is closed,
 * answers from the notification, and a desktop shows the answer.
 */
import {
  hasBrowser,
  messageBox,
  openBrowser,
  say,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../../support/browser/browser';
import { openPushHand, subscribeInstead, type PushHand } from '../../support/browser/push-hand';
import { callerOf } from '../../support/chat/people';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { startWorkers } from '../../support/kernel/workers';
import { ownDevice, PUSHING, type OwnDevice } from '../../support/pushing';
import { openPushService, type PushService } from '../../support/servers/push-service';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('Somebody with a telephone is reached', () => {
  let cluster: Cluster;
  let node: TestNode;
  let service: PushService;
  let browser: TestBrowser;
  let telephone: TestPage;
  let desktop: TestPage;
  let device: OwnDevice;
  let hand: PushHand;

  beforeAll(async () => {
    service = await openPushService();
    cluster = await openCluster(PUSHING);
    await cluster.seed();
    node = await cluster.node();
    await startWorkers(cluster, 'chat-missed-messages', 'chat-push', 'chat-read-marks');
    browser = await openBrowser();
    // The page, which is open here, says that its reader is there.
    const member = await callerOf(node, 'member@example.com');
    await member.patch('/settings/notifications', { enable_online_push_notifications: 'true' });
    device = ownDevice(service.device(), 0);
    telephone = await browser.page({
      serviceWorkers: 'allow',
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
    await telephone.context().grantPermissions(['notifications'], { origin: node.url });
    await telephone.context().addInitScript(subscribeInstead, device.address);
    desktop = await browser.page();
    await signInAs(desktop, node.url, 'Olive Owner');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
    await service.close();
  });

  const TOPIC = '/stream/1/topic/tunnel';
  const article = (page: TestPage, text: string) => page.getByRole('article').filter({ hasText: text });

  test('It installs the chat, starts it offline, gets a push, answers from it, and the desktop shows the answer', async () => {
    await signInAs(telephone, node.url, 'Max Member');
    await telephone.waitForFunction(() => navigator.serviceWorker.controller !== null);
    hand = await openPushHand(telephone, `${node.url}/`);

    // Installable, by the browser's own criteria.
    const tools = await telephone.context().newCDPSession(telephone);
    expect((await tools.send('Page.getAppManifest')).errors).toEqual([]);
    const { installabilityErrors } = await tools.send('Page.getInstallabilityErrors');
    // The test's own kind of window is never installed.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);

    // Notifications are turned on in the settings.
    await telephone.goto(`${node.url}/settings/notifications`);
    const own = telephone.getByRole('switch', { name: 'Push notifications to this device' });
    await own.waitFor({ state: 'attached' });
    await until(() => own.isEnabled());
    await own.press('Space');
    await telephone.getByRole('button', { name: 'Send a test' }).click();
    await hand.arrives((await device.got(1)).payload, 'Notifications work');

    // Without a network it starts with what was read last.
    await telephone.goto(node.url + TOPIC);
    await messageBox(telephone).waitFor();
    await say(telephone, 'before the tunnel');
    await article(telephone, 'before the tunnel').waitFor();
    await until(async () => {
      await telephone.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
        Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
      });
      return telephone.evaluate(async () =>
        (await indexedDB.databases()).some(({ name }) => name === 'partyline-kept'),
      );
    });
    await telephone.context().setOffline(true);
    await telephone.goto('about:blank');
    await telephone.goto(node.url + TOPIC);
    await article(telephone, 'before the tunnel').waitFor();
    await telephone.getByRole('status').filter({ hasText: 'The connection is lost' }).first().waitFor();
    await telephone.context().setOffline(false);
    await telephone.goto(`${node.url}/settings/notifications`);
    await telephone.getByRole('button', { name: 'Send a test' }).waitFor();

    // Somebody at a desktop asks; the telephone shows it, and answers from the notification.
    await desktop.evaluate((path) => history.pushState(null, '', path), TOPIC);
    await desktop.getByPlaceholder('Message #general › tunnel').waitFor();
    await say(desktop, '@**Max Member** are you through?');
    const title = 'Olive Owner (#general › tunnel)';
    const pushed = await until(() => device.pushes.find(({ payload }) => payload.title === title));
    const { tag } = await hand.arrives(pushed!.payload, title);
    await hand.click(tag, 'reply');
    await telephone.waitForURL(/\/topic\/tunnel/);
    await messageBox(telephone).waitFor();
    await until(() => messageBox(telephone).evaluate((box) => box === document.activeElement));
    await telephone.keyboard.type('through, and outside');
    await telephone.keyboard.press('Control+Enter');
    await article(desktop, 'through, and outside').waitFor();
    expect(telephone.troubles.concat(desktop.troubles)).toEqual([]);
  });

  test('It is installed in the language of its page', async () => {
    const page = await browser.page({ viewport: { width: 360, height: 740 }, locale: 'de-AT' });
    await page.goto(node.url);
    await page.waitForFunction(() => document.documentElement.lang === 'de');
    const tools = await page.context().newCDPSession(page);
    const shown = await until(async () => {
      const { url, data, errors } = await tools.send('Page.getAppManifest');
      return url.endsWith('/app.de.webmanifest') && { data: data!, errors };
    });
    expect(shown && shown.errors).toEqual([]);
    const manifest = JSON.parse((shown && shown.data) || '{}') as {
      lang: string;
      id: string;
      shortcuts: { name: string }[];
    };
    expect(manifest).toMatchObject({ lang: 'de', id: '/' });
    expect(manifest.shortcuts.map(({ name }) => name)).toEqual([
      'Posteingang',
      'Letzte Unterhaltungen',
      'Erwähnungen',
      'Private Nachrichten',
    ]);
    const { installabilityErrors } = await tools.send('Page.getInstallabilityErrors');
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
    await page.context().close();
  });
});
