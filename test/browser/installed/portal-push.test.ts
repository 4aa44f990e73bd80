/**
 * Push notifications of the portal from the switch in the account to the click: the page subscribes with keys of the test,
 * the server pushes to a service of the test, and what the device decrypts is given to the portal's service worker.
 */
import type { E164 } from '../../../src/telephony/model/texting/texting';
import { DEMO_ONE, postAsCarrier } from '../../api/telephony/texting/carrier-requests';
import { hasBrowser, openBrowser, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { openPushHand, subscribeInstead, type PushHand } from '../../support/browser/push-hand';
import { ownDevice, type OwnDevice } from '../../support/pushing';
import { openPortalPushes, type PortalPushes } from '../../support/telephony/pushing';
import type { PushedPayload } from '../../support/servers/push-service';
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
    await page.goto(`${stage.node.url}/portal/extensions`);
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

  const field = () => page.getByRole('textbox', { name: 'Write a message' });
  const isFocused = () => field().evaluate((box) => box === document.activeElement);
  /** Not by its place: what is read in the page is withdrawn by pushes at any time. */
  const pushed = async (isIt: (payload: PushedPayload) => boolean) =>
    (await until(() => device.pushes.find(({ payload }) => isIt(payload))))!.payload;
  const withdrawn = (tag: string) => pushed(({ tags = [] }) => tags.includes(tag));
  const receive = async (from: E164, text: string) => {
    await stage.receive({ from, text });
    return pushed(({ title, body }) => title === from && body === text);
  };

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

  test('Texts of a conversation are one notification, and a click opens the conversation', async () => {
    const [from, other] = [stage.someone(), stage.someone()];
    await hand.arrives(await receive(from, 'are you there?'), from, 'are you there?');
    await hand.arrives(await receive(other, 'me too'), other, 'me too');
    const payload = await receive(from, 'hello?');
    const { tag } = await hand.arrives(payload, from, 'hello?');
    expect((await hand.notes()).filter(({ title }) => title === from)).toHaveLength(1);
    await hand.click(tag, '');
    await page.waitForURL((url) => url.pathname === payload.path);
    await page.getByRole('heading', { level: 2, name: from }).waitFor();
    // It is on the screen, so it is read, and its notification over.
    expect(await withdrawn(tag)).toMatchObject({ kind: 'read', badge: 1 });
    expect((await hand.notes()).map(({ title }) => title)).toContain(other);
  });

  test('"Reply" puts the cursor into the field, in a page that is open, one that loads and a new one', async () => {
    await go('/portal/account');
    const from = stage.someone();
    const payload = await receive(from, 'a question');
    const { tag } = await hand.arrives(payload, from);
    await hand.click(tag, 'reply');
    await until(isFocused);
    await go('/portal/account');
    await hand.arrives(await receive(from, 'another'), from, 'another');
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/portal/api/session', async (route) => {
      await released;
      await route.continue();
    });
    await page.reload();
    await hand.click(tag, 'reply');
    await until(async () => (await hand.notes()).every((note) => note.tag !== tag));
    release();
    await until(isFocused);
    await page.unrouteAll({ behavior: 'wait' });
    // An address that differs in its hash alone would not be a new page.
    await go('/portal/account');
    await go(`${payload.path!}#reply`);
    await until(isFocused);
    await until(() => new URL(page.url()).hash === '');
    expect(page.troubles).toEqual([]);
  });

  test('What was read elsewhere is withdrawn, and a page that opens closes what is over', async () => {
    // Not a page of the portal, which would close it by itself.
    await go('/portal/api/session');
    const from = stage.someone();
    const payload = await receive(from, 'read elsewhere');
    const { tag } = await hand.arrives(payload, from);
    const path = `/texting/conversations/${tag.slice(2)}`;
    const { body } = await stage.people.member('GET', `${path}/messages`);
    const messagesIds = (body as { id: string }[]).map(({ id }) => id);
    await stage.people.member('POST', `${path}/read`, { messagesIds });
    const over = await withdrawn(tag);
    expect((await hand.notes()).map(({ title }) => title)).toContain(from);
    await hand.deliver(over);
    await hand.gone(from);
    await hand.arrives(payload, from);
    await go('/portal/account');
    await hand.gone(from);
  });

  test('A click on the notification of a fax opens that fax', async () => {
    const fax = { from: '+15550107777', from_name: 'Dr. Who', to: DEMO_ONE.number, to_name: '', pages: 1 };
    const content = { name: 'a.pdf', content_type: 'application/pdf', base64: 'JVBERi0xLjQ=' };
    const more = { id: 'pushed-to-browser', subject: 'Results', content, received_at: new Date().toISOString() };
    await postAsCarrier(stage.node, { ...fax, ...more }, DEMO_ONE, { about: 'fax' });
    const payload = await pushed(({ title }) => title === 'Fax from Dr. Who');
    const { tag } = await hand.arrives(payload, 'Fax from Dr. Who', 'Results · 1 page');
    await hand.click(tag, '');
    await page.waitForURL((url) => url.pathname === `/portal/texting/faxes/${tag.slice(2)}`);
    const row = page.locator('tr[aria-current]');
    await row.getByRole('button', { name: 'Results' }).click();
    await hand.gone('Fax from Dr. Who');
  });

  test('"Mark as read" does that to what the notification is about, and opens nothing', async () => {
    await go('/portal/account');
    const from = stage.someone();
    const { tag } = await hand.arrives(await receive(from, 'mark me'), from);
    await hand.click(tag, 'read');
    expect(await withdrawn(tag)).toMatchObject({ kind: 'read' });
    const conversation = await stage.people.member('GET', `/texting/conversations/${tag.slice(2)}`);
    expect(conversation.body).toMatchObject({ unread_msg_count: 0 });
    expect((await hand.notes()).every((note) => note.tag !== tag)).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/portal/account');
  });

  test('A browser that has got another address from its push service is pushed to there', async () => {
    const next = ownDevice(stage.service.device(), 0);
    await hand.renew(next.address);
    await until(async () => (await devicesOf()) === 2);
    const from = stage.someone();
    await stage.receive({ from, text: 'to both addresses' });
    await until(() => next.pushes.some(({ payload }) => payload.title === from));
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
