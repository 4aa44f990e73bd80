import {
  hasBrowser,
  messageBox,
  openBrowser,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../../support/browser/browser';
import { chooseTime, listed, openSendLater, scheduledEntry } from '../../support/browser/scheduled';
import { userOf, type TestUser } from '../../support/chat/chat';
import { inSeconds, schedule } from '../../support/chat/scheduled';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;
/** Neither that of the browser nor that of the server. */
const ZONE = 'Pacific/Auckland';

inBrowser('Sending later', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let member: TestUser;
  /** Two browsers of one person. */
  let desk: TestPage;
  let couch: TestPage;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
    member = await userOf(node, 'member');
    await member.patch('/settings/display', { timezone: ZONE });
    [desk, couch] = [await browser.page({ timezoneId: 'America/New_York' }), await browser.page()];
    await Promise.all([desk, couch].map((page) => signInAs(page, node.url, 'Max Member')));
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });
  afterEach(async () => {
    for (const { scheduled_message_id: id } of await listed(member)) await member.del(`/scheduled_messages/${id}`);
  });

  const write = async (topic: string, text: string) => {
    await desk.evaluate((path) => history.pushState(null, '', path), `/stream/1/topic/${topic}`);
    await desk.getByPlaceholder(`Message #general › ${topic}`).waitFor();
    await messageBox(desk).fill(text);
  };
  const holds = (text: string) => until(async () => (await messageBox(desk).inputValue()) === text);
  const error = (text: string | RegExp) => desk.getByRole('dialog').getByRole('alert').getByText(text);
  /** `2026-11-20 09:00`, as clocks in the zone of the account show it. */
  const wallTime = (ms: number) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'short' }).format(ms);

  test('A text is sent at a usual time of the author’s zone: the box empties, both browsers list it, Undo brings it back', async () => {
    const tomorrow = () => `${wallTime(Date.now() + 24 * 3_600_000).slice(0, 10)} 09:00`;
    await write('zones', 'good morning');
    const before = tomorrow();
    await openSendLater(desk);
    await desk.getByText(`In your time zone, ${ZONE}`).waitFor();
    await desk
      .getByRole('dialog')
      .getByRole('button', { name: /^Tomorrow at 0?9:00/ })
      .click();
    await desk.getByRole('dialog').waitFor({ state: 'detached' });
    await holds('');
    await desk
      .getByRole('status')
      .getByText(/^Your message will be sent on .* at 09:00\.$/)
      .waitFor();
    const [only] = await listed(member);
    expect(only).toMatchObject({ content: 'good morning', to: 1, topic: 'zones' });
    expect([before, tomorrow()]).toContain(wallTime(only!.scheduled_delivery_timestamp * 1000));
    for (const page of [desk, couch]) await scheduledEntry(page).getByRole('img', { name: '1' }).waitFor();

    await desk.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await holds('good morning');
    expect(await listed(member)).toEqual([]);
    for (const page of [desk, couch]) await scheduledEntry(page).waitFor({ state: 'detached' });
    await messageBox(desk).fill('');
  });

  test('A time of one’s own is one of the author’s zone, and one that is over is refused with the text still there', async () => {
    await write('dates', 'in years');
    await openSendLater(desk);
    await chooseTime(desk, '2020-01-02T03:04', 'Send then');
    await error('This time is over. Choose a time to come.').waitFor();
    expect(await messageBox(desk).inputValue()).toBe('in years');
    await chooseTime(desk, '2040-05-06T07:08', 'Send then');
    await desk.getByRole('dialog').waitFor({ state: 'detached' });
    await holds('');
    const [only] = await listed(member);
    expect(wallTime(only!.scheduled_delivery_timestamp * 1000)).toBe('2040-05-06 07:08');
  });

  test('It takes only keys, and the focus is back in the box', async () => {
    await write('keys', 'without a mouse');
    await desk.getByRole('button', { name: 'Choose time or key' }).focus();
    await desk.keyboard.press('Enter');
    await desk.getByRole('menuitem', { name: 'Send later…' }).waitFor();
    const dialog = desk.getByRole('dialog', { name: 'Send later' });
    // On a slow machine the menu takes the focus once more, to its beginning.
    await until(async () => {
      if (await dialog.isVisible()) return true;
      const focused = await desk.evaluate(() => document.activeElement?.textContent);
      await desk.keyboard.press(focused === 'Send later…' ? 'Enter' : 'ArrowDown');
      return false;
    });
    await until(() => desk.evaluate(() => document.activeElement?.textContent?.startsWith('In one hour') === true));
    await desk.keyboard.press('Enter');
    await desk.getByRole('dialog').waitFor({ state: 'detached' });
    await until(async () => (await listed(member)).length === 1);
    await until(() => desk.evaluate(() => document.activeElement?.id === 'compose-content'));
  });

  test('Without an answer the text stays, and is scheduled once although the server had it the first time', async () => {
    await write('tunnel', 'once');
    await desk.route('**/api/v1/scheduled_messages', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await openSendLater(desk);
    await desk.getByRole('button', { name: 'In one hour' }).click();
    await error(/server/).waitFor();
    await desk.keyboard.press('Escape');
    await desk.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await messageBox(desk).inputValue()).toBe('once');
    await desk.unroute('**/api/v1/scheduled_messages');

    // The server does it, and its answer is lost.
    await desk.route('**/api/v1/scheduled_messages', async (route) => {
      if (route.request().method() === 'POST') await route.fetch();
      await (route.request().method() === 'POST' ? route.abort() : route.continue());
    });
    await openSendLater(desk);
    await desk.getByRole('button', { name: 'In one hour' }).click();
    await error(/server/).waitFor();
    expect(await listed(member)).toHaveLength(1);
    await desk.unroute('**/api/v1/scheduled_messages');
    await desk.getByRole('button', { name: 'In three hours' }).click();
    await desk.getByRole('dialog').waitFor({ state: 'detached' });
    await holds('');
    const [only, ...others] = await listed(member);
    expect([only!.content, others]).toEqual(['once', []]);
    expect(only!.scheduled_delivery_timestamp).toBeGreaterThan(inSeconds(2 * 3600));
  });

  test('What the server refuses is said, and the text stays', async () => {
    for (let left = 100; left > 0; left -= 1) await schedule(member, { streamId: 1, topic: 'full' }, 'x');
    await write('full', 'one too many');
    await openSendLater(desk);
    await desk.getByRole('button', { name: 'In one hour' }).click();
    await error(/You have scheduled too many messages/).waitFor();
    await desk.keyboard.press('Escape');
    await desk.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await messageBox(desk).inputValue()).toBe('one too many');
    await messageBox(desk).fill('');
  });

  test('There is nothing to send later without a text', async () => {
    await write('nothing', '');
    await desk.getByRole('button', { name: 'Choose time or key' }).click();
    await desk.getByRole('menuitem', { name: 'Enter sends', exact: true }).waitFor();
    expect(await desk.getByRole('menuitem', { name: 'Send later…' }).count()).toBe(0);
    await desk.keyboard.press('Escape');
    expect(desk.troubles.concat(couch.troubles)).toEqual([]);
  });

  test('In German', async () => {
    const german = await browser.page({ locale: 'de-DE' });
    await german.goto(node.url);
    await german.getByRole('button', { name: 'Max Member' }).click();
    await german.getByRole('region', { name: 'Nachricht schreiben' }).waitFor();
    await german.evaluate(() => history.pushState(null, '', '/stream/1/topic/deutsch'));
    await german.getByPlaceholder('Nachricht an #general › deutsch').fill('guten Morgen');
    await german.getByRole('button', { name: 'Zeit oder Taste wählen' }).click();
    await german.getByRole('menuitem', { name: 'Später senden …' }).click();
    await german.getByRole('button', { name: /^Morgen um 0?9:00/ }).click();
    await german
      .getByRole('status')
      .getByText(/^Ihre Nachricht wird am .* um 09:00 gesendet\.$/)
      .waitFor();
    await german.getByRole('navigation').getByRole('link', { name: 'Geplant' }).waitFor();
    expect(german.troubles).toEqual([]);
  });
});
