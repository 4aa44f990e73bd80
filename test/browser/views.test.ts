import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../support/browser/browser';
import { userOf } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

const LONG = '/stream/1/topic/long';
const OTHER = '/stream/1/topic/other';

inBrowser('The views of the chat', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let owner: Awaited<ReturnType<typeof userOf>>;
  let send: (topic: string, content: string) => Promise<unknown>;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
    owner = await userOf(node, 'owner');
    send = (topic, content) => owner.post('/messages', { type: 'stream', to: 'general', topic, content });
    for (let at = 0; at < 45; at += 1) await send('long', `long ${at}`);
    await send('other', 'other 0');
    page = await browser.page();
    await signInAs(page, node.url, 'Max Member');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const go = (path: string) => page.evaluate((to) => history.pushState(null, '', to), path);
  const message = (text: string) => page.getByRole('article').filter({ has: page.getByText(text, { exact: true }) });
  /** A key pressed before the whole list is loaded goes to the end of the loaded part. */
  const showEnd = (last: string) =>
    until(async () => {
      await page.keyboard.press('End');
      return message(last).isVisible();
    });
  const scroller = () => page.getByRole('main').locator('[data-scroller]');
  /** The first completely visible message and its position: rows above or below it may be measured again. */
  const firstSeen = () =>
    scroller().evaluate((list) => {
      const { top } = list.getBoundingClientRect();
      const rows = [...list.querySelectorAll('[role=article], article')];
      const row = rows.find((each) => each.getBoundingClientRect().top >= top)!;
      return { text: row.textContent, at: Math.round(row.getBoundingClientRect().top - top) };
    });
  const scrolled = () => scroller().evaluate((list) => list.scrollTop);

  test('A page requests the data of its first view once, and then follows the events', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(node.url + LONG);
    await message('long 0').waitFor();
    const once = ['/web/session', '/api/v1/register', '/api/v1/messages'];
    expect(asked.filter((path) => once.includes(path)).sort()).toEqual(once.toSorted());
    await send('long', 'long 45');
    await showEnd('long 45');
    expect(page.troubles).toEqual([]);
  });

  test('A view that is shown again has the scroll position at which its reader left it', async () => {
    // The line above the first new message takes room until the view is left.
    await (await userOf(node, 'member')).post('/mark_all_as_read');
    await page.goto(node.url + LONG);
    await showEnd('long 45');
    const end = await scrolled();
    await page.keyboard.press('PageUp');
    // Until the list has come to rest elsewhere: a busy machine draws some frames late.
    let before = end;
    let stillFor = 0;
    await until(async () => {
      const now = await scrolled();
      stillFor = now !== end && now === before ? stillFor + 1 : 0;
      before = now;
      return stillFor >= 5;
    });
    const place = await firstSeen();
    const kept = await page.getByRole('article').first().elementHandle();
    await go(OTHER);
    await message('other 0').waitFor();
    expect(await page.getByRole('main').count()).toBe(1);
    await go(LONG);
    await message('long 30').waitFor();
    expect(await firstSeen()).toEqual(place);
    expect(await kept?.evaluate((row) => row.isConnected)).toBe(true);
  });

  test('A message of a stream that its reader can no longer see still names the stream', async () => {
    const member = await userOf(node, 'member');
    const people = { principals: [owner.email, member.email] };
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'board' }], invite_only: true, ...people });
    await owner.post('/messages', { type: 'stream', to: 'board', topic: 'closed', content: 'board 0' });
    await owner.del('/users/me/subscriptions', { subscriptions: ['board'], principals: [member.email] });
    await member.post('/mark_all_as_read');
    await page.goto(`${node.url}/all`);
    await message('board 0').waitFor();
    const bars = page.getByRole('main').getByRole('link', { name: 'board', exact: true });
    // The stream's first message announces its creation.
    await until(
      () => bars.count(),
      (count) => count > 0,
    );
    expect(await page.getByText('Unknown stream').count()).toBe(0);
    expect(page.troubles).toEqual([]);
  });
});
