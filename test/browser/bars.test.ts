import { axeFindings } from '../support/browser/axe';
import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../support/browser/browser';
import { userOf } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

/** More than are loaded around a message. */
const MANY = 70;
const LINES = Array.from({ length: 80 }, (_, at) => `line ${at}`).join('\n');

inBrowser('Finding the way in a long list', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let owner: Awaited<ReturnType<typeof userOf>>;
  let member: Awaited<ReturnType<typeof userOf>>;
  let tall: number;
  let newest: number;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
    owner = await userOf(node, 'owner');
    member = await userOf(node, 'member');
    await send('before', 'before');
    tall = (await send('tall', LINES)).body.id as number;
    for (let at = 0; at < MANY; at += 1) newest = (await send('after', `after ${at}`)).body.id as number;
    page = await browser.page();
    await signInAs(page, node.url, 'Max Member');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const send = (topic: string, content: string) =>
    owner.post('/messages', { type: 'stream', to: 'general', topic, content });
  const message = (text: string) => page.getByRole('article').filter({ has: page.getByText(text, { exact: true }) });
  const scroller = () => page.getByRole('main').locator('[data-scroller]');
  const bar = () => page.getByRole('main').locator('[data-sticky-bar]');
  const unread = async (): Promise<unknown> => (await member.post('/register')).body.unread_msgs;

  test('All messages are marked as read, and exactly those are made unread again', async () => {
    await page.goto(`${node.url}/starred`);
    await page.getByRole('heading', { name: 'Starred', level: 1 }).waitFor();
    const before = await unread();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to a stream' }).fill('mark everything');
    await page.keyboard.press('Enter');
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    expect(await unread()).toMatchObject({ streams: [], pms: [], count: 0 });
    await undo.click();
    await until(async () => JSON.stringify(await unread()) === JSON.stringify(before));
    expect(page.troubles).toEqual([]);
  });

  test('Far from the newest message, a note says so and leads there', async () => {
    await page.goto(`${node.url}/stream/1/near/${tall}`);
    await page.getByText('You are viewing older messages').waitFor();
    expect(await axeFindings(page, { within: '#main' })).toEqual([]);
    await page.getByRole('button', { name: 'To the newest' }).click();
    await message(`after ${MANY - 1}`).waitFor();
    await page.getByText('You are viewing older messages').waitFor({ state: 'detached' });
  });

  test('Of two jumps in one view the last one counts, whichever answer comes first', async () => {
    await page.goto(`${node.url}/starred`);
    await page.getByRole('heading', { name: 'Starred', level: 1 }).waitFor();
    let letGo = (): void => {};
    const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
    const early = new RegExp(`/messages\\?.*anchor=${tall}&`);
    await page.route(early, async (route) => {
      await isLetGo;
      await route.continue();
    });
    const asked = page.waitForRequest(early);
    const jump = (id: number) => page.evaluate((to) => history.pushState(null, '', `/stream/1/near/${to}`), id);
    await jump(tall);
    await asked;
    await jump(newest);
    await message(`after ${MANY - 1}`).waitFor();
    const answered = page.waitForResponse(early);
    letGo();
    await (await answered).finished();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    expect(await message(`after ${MANY - 1}`).isVisible()).toBe(true);
    expect(await page.locator(`[data-message-id="${tall}"]`).count()).toBe(0);
    await page.unroute(early);
  });

  test('While a long message scrolls, its conversation and author stay at the top, with what can be done', async () => {
    await page.goto(`${node.url}/stream/1/near/${tall}`);
    const row = page.locator(`[data-message-id="${tall}"]`);
    await row.waitFor();
    await until(async () => {
      await scroller().evaluate((list, id) => {
        const place = list.querySelector(`[data-message-id="${id}"]`)!.getBoundingClientRect();
        list.scrollTop += place.top - list.getBoundingClientRect().top + 500;
      }, tall);
      return (await bar().getByRole('link', { name: 'tall' }).count()) === 1;
    });
    const top = (await scroller().boundingBox())!.y;
    expect(Math.abs((await bar().boundingBox())!.y - top)).toBeLessThan(2);
    await bar().getByRole('link', { name: 'tall' }).focus();
    await bar().getByRole('button', { name: 'Mute the topic' }).click();
    await bar().getByRole('button', { name: 'Unmute the topic' }).waitFor();
    expect(await axeFindings(page, { within: '#main' })).toEqual([]);
    await bar().getByRole('button', { name: 'Olive Owner' }).click();
    await until(async () => {
      const place = await row.boundingBox();
      return place !== null && place.y >= top && place.y < top + 200;
    });
    expect(page.troubles).toEqual([]);
  });

  test('A date leads to the first message of that day', async () => {
    await page.goto(`${node.url}/stream/1`);
    await page.getByRole('button', { name: 'What to do with this view' }).click();
    await page.getByRole('menuitem', { name: 'Jump to a date' }).click();
    await page.getByLabel('Day').fill('2020-01-01');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/\/stream\/1\/near\/\d+$/);
    await page.getByText('This is the beginning.').waitFor();
  });

  test('A page without a connection says so, and no longer once it is back', async () => {
    const note = page.getByRole('status').filter({ hasText: 'The connection is lost' });
    await page.context().setOffline(true);
    await note.waitFor();
    await page.context().setOffline(false);
    await note.waitFor({ state: 'detached' });
    await page.goto(`${node.url}/stream/1/topic/after`);
    await until(async () => {
      await page.keyboard.press('End');
      return message(`after ${MANY - 1}`).isVisible();
    });
    await send('after', 'back again');
    await message('back again').waitFor();
  });

  test('On paper a view has all loaded messages one below the other, and nothing to click', async () => {
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const rows = page.getByRole('article');
    await until(
      () => rows.count(),
      (count) => count > MANY / 2,
    );
    const tops = await rows.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    expect(new Set(tops).size).toBe(tops.length);
    expect(await page.getByRole('region', { name: 'Write a message' }).isVisible()).toBe(false);
    expect(await page.getByRole('complementary', { name: 'People' }).isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: /^People/ }).isVisible()).toBe(false);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: null });
  });
});
