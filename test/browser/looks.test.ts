import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../support/browser/browser';
import { userOf, type TestUser } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

const PROSE =
  'The night train leaves at ten and arrives before anybody is awake, so pack a book, a coat and something to eat, because ' +
  'the restaurant car closes early and the first bakery at the harbour opens only when the ferries have left again.';

inBrowser('How conversations look', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let owner: TestUser;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    owner = await userOf(node, 'owner');
    const member = await userOf(node, 'member');
    const say = (by: TestUser, content: string) =>
      by.post('/messages', { type: 'stream', to: 'general', topic: 'looks', content });
    await say(owner, 'first');
    await say(owner, 'second');
    await say(member, 'third\n\nfourth');
    await say(owner, PROSE);
    await member.post('/mark_all_as_read');
    browser = await openBrowser();
    page = await browser.page({ viewport: { width: 1920, height: 900 } });
    await signInAs(page, node.url, 'Max Member');
    await page.goto(`${node.url}/stream/1/topic/looks`);
    await paragraph('The night train').waitFor();
    await until(() => page.evaluate(() => document.fonts.check('15px Inter')));
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const paragraph = (words: string) =>
    page
      .getByRole('article')
      .locator('p')
      .filter({ hasText: new RegExp(`^${words}`) });
  const box = async (words: string) => (await paragraph(words).boundingBox())!;
  const gap = async (above: string, below: string): Promise<number> => {
    const [upper, lower] = [await box(above), await box(below)];
    return Math.round(lower.y - upper.y - upper.height);
  };

  test('Text is 15 px on lines of 22, names are bolder, and times smaller', async () => {
    const look = (selector: string) =>
      page
        .getByRole('article')
        .last()
        .locator(selector)
        .first()
        .evaluate((each) => {
          const { fontFamily, fontSize, fontWeight, lineHeight } = getComputedStyle(each);
          return [fontFamily.split(',')[0]!.replaceAll('"', ''), fontSize, fontWeight, lineHeight];
        });
    expect(await look('p')).toEqual(['Inter', '15px', '400', '22px']);
    const [family, , weight] = await look('button:has-text("Olive Owner")');
    expect([family, weight]).toEqual(['Inter', '600']);
    const [, size] = await look('time, a[href*="/near/"]');
    expect(size).toBe('12px');
  });

  test('Messages of one person are close, those of others apart, and paragraphs between', async () => {
    expect(await gap('first', 'second')).toBeGreaterThanOrEqual(2);
    expect(await gap('first', 'second')).toBeLessThanOrEqual(4);
    expect(await gap('third', 'fourth')).toBe(8);
    const name = (await page.getByRole('article').getByRole('button', { name: 'Max Member' }).last().boundingBox())!;
    const second = await box('second');
    expect(Math.round(name.y - second.y - second.height)).toBeGreaterThanOrEqual(12);
    expect(Math.round(name.y - second.y - second.height)).toBeLessThanOrEqual(20);
  });

  test('Lines of prose have at most 90 characters on a wide screen', async () => {
    const lines = await paragraph('The night train').evaluate((each) => {
      const text = each.firstChild!;
      const range = document.createRange();
      const tops: number[] = [];
      for (let at = 0; at < text.textContent!.length; at += 1) {
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        tops.push(Math.round(range.getBoundingClientRect().top));
      }
      const counts = new Map<number, number>();
      for (const top of tops) counts.set(top, (counts.get(top) ?? 0) + 1);
      return [...counts.values()];
    });
    expect(Math.max(...lines)).toBeGreaterThanOrEqual(75);
    expect(Math.max(...lines)).toBeLessThanOrEqual(90);
  });

  test('Nothing moves when the font arrives', async () => {
    const tops = () =>
      page
        .locator('article, main [data-bar], nav a, h1')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    let letGo = (): void => {};
    const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
    const font = /\.woff2$/;
    await page.route(font, async (route) => {
      await isLetGo;
      await route.continue();
    });
    // A font that is in the browser's memory would be there at once.
    const session = await page.context().newCDPSession(page);
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await page.reload();
    await paragraph('The night train').waitFor();
    await page.getByRole('complementary', { name: 'People' }).waitFor();
    expect(await page.evaluate(() => document.fonts.check('15px Inter'))).toBe(false);
    const before = await tops();
    letGo();
    await until(() => page.evaluate(() => document.fonts.check('15px Inter')));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    const after = await tops();
    expect(after.length).toBe(before.length);
    expect(after.filter((top, at) => Math.abs(top - before[at]!) > 1)).toEqual([]);
    await page.unroute(font);
    expect(page.troubles).toEqual([]);
  });

  test('On a telephone the head of a topic names the topic, and as much of its stream as fits', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    const heading = page.getByRole('heading', { level: 1 });
    const topic = heading.getByText('looks');
    await until(() => topic.evaluate((each) => each.getBoundingClientRect().width > 30));
    expect(await topic.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
    const edges = await heading.evaluate((each) => {
      const [own, last] = [each.getBoundingClientRect(), each.lastElementChild!.getBoundingClientRect()];
      return last.right - own.right;
    });
    expect(edges).toBeLessThanOrEqual(1);
  });
});
