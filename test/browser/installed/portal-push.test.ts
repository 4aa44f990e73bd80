/**
 * Push notifications of the portal from the switch in the account to the click: the page subscribes with keys of the test,
 * the server pushes to a service of the test, and what the device decrypts is given to the portal's service worker.
 */
import { DEMO_ONE, postAsCarrier } from '../../api/telephony/texting/carrier-requests';
import { hasBrowser, openBrowser, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { openPushHand, subscribeInstead, type PushHand } from '../../support/browser/push-hand';
import { ownDevice, type OwnDevice } from '../../support/pushing';
import { openPortalPushes, type PortalPushes } from '../../support/telephony/pushing';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('Push notifications of the portal', () => {
  let stage: PortalPushes;
  let browser: TestBrowser;
  let page: TestPage;
  let device: OwnDevice;
  let hand: PushHand;

  beforeAll(async () => {
    stage = await openPortalPushes();
    browser = await openBrowser();
    device = ownDevice(stage.service.device(), 0);
    page = await browser.page({ serviceWorkers: 'allow', viewport: { width: 360, height: 740 } });
    const context = page.context();
    await context.grantPermissions(['notifications'], { origin: stage.node.url });
    await context.addInitScript(subscribeInstead, device.address);
    await page.goto(`${stage.node.url}/portal`);
    await page.getByRole('button', { name: 'Max Member' }).click();
    await page.getByRole('heading', { level: 1, name: 'Extensions' }).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  const go = (path: string) => page.goto(stage.node.url + path);
  const turn = async (): Promise<void> => {
    const own = page.getByRole('switch', { name: 'Push notifications to this device' });
    await own.waitFor({ state: 'attached' });
    await until(() => own.isEnabled());
    await own.press('Space');
  };
  const devicesOf = async () =>
    (await stage.kernel.mysql('tel_push_subscriptions').where({ contact_id: stage.people.ids.member })).length;

  test('They are turned on in the account, and a test arrives', async () => {
    await go('/portal/account');
    await turn();
    await page.getByRole('button', { name: 'Send a test' }).click();
    const { payload } = await device.got(1);
    hand = await openPushHand(page, `${stage.node.url}/portal`);
    await hand.arrives(payload, 'Notifications work');
    await page.reload();
    await page.getByRole('button', { name: 'Send a test' }).waitFor();
    expect(await devicesOf()).toBe(1);
  });

  test('A click on the notification of a fax opens that fax', async () => {
    const count = device.pushes.length;
    const fax = { from: '+15550107777', from_name: 'Dr. Who', to: DEMO_ONE.number, to_name: '', pages: 1 };
    const content = { name: 'a.pdf', content_type: 'application/pdf', base64: 'JVBERi0xLjQ=' };
    const more = { id: 'pushed-to-browser', subject: 'Results', content, received_at: new Date().toISOString() };
    await postAsCarrier(stage.node, { ...fax, ...more }, DEMO_ONE, { about: 'fax' });
    const { payload } = await device.got(count + 1);
    const { tag } = await hand.arrives(payload, 'Fax from Dr. Who', 'Results · 1 page');
    await hand.click(tag, '');
    await page.waitForURL((url) => url.pathname === `/portal/texting/faxes/${tag.slice(2)}`);
    const row = page.locator('tr[aria-current]');
    await row.getByRole('button', { name: 'Results' }).click();
    await until(async () => (await hand.notes()).every(({ title }) => title !== 'Fax from Dr. Who'));
  });

  test('They are turned off in the account, and whoever signs out takes them along', async () => {
    await go('/portal/account');
    await turn();
    await until(async () => (await devicesOf()) === 0);
    await turn();
    await page.getByRole('button', { name: 'Send a test' }).waitFor();
    await hand.arrives({ kind: 'test', tag: 'test', title: 'Still here', body: '', path: '/portal' }, 'Still here');
    await page.getByRole('button', { name: 'Open the side bar' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Max Member' }).waitFor();
    expect(await devicesOf()).toBe(0);
    await until(async () => (await hand.notes()).length === 0);
    await until(() => page.evaluate(() => localStorage.getItem('test-push') === null));
    expect(page.troubles).toEqual([]);
  });
});
