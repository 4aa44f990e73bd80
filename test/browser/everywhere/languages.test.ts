import { hasBrowser, openBrowser, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { fillChat, openPath } from '../../support/browser/chat-places';
import { cutTexts } from '../../support/browser/cut-texts';
import { wideness } from '../../support/browser/targets';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';

const inBrowser = hasBrowser ? describe : describe.skip;
const PHONE = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: 'reduce',
} as const;

inBrowser('The chat in other languages', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let paths: readonly string[];

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    paths = await fillChat(node);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  async function openIn(locale: string): Promise<TestPage> {
    const page = await browser.page({ ...PHONE, locale });
    await page.goto(node.url);
    await page.getByRole('button', { name: 'Olive Owner' }).click();
    await page.getByRole('main').waitFor();
    return page;
  }

  test('No German text is cut on a telephone, and no page is wider than its screen', async () => {
    const page = await openIn('de-DE');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
    const found: string[] = [];
    for (const path of paths) {
      await openPath(page, path);
      found.push(...(await cutTexts(page)), ...(await wideness(page)));
    }
    expect(found).toEqual([]);
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('A language that is written from right to left mirrors the pages, and none is wider than its screen', async () => {
    const page = await openIn('en-GB');
    const found: string[] = [];
    for (const path of paths) {
      await openPath(page, path);
      await mirror(page);
      found.push(...(await wideness(page)));
    }
    expect(found).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await openPath(page, paths[0]!);
    const [side, main] = [await box(page, 'nav'), await box(page, 'main')];
    expect(side.x).toBeGreaterThan(main.x + main.width - 1);
    await page.context().close();
  });
});

const mirror = (page: TestPage): Promise<void> => page.evaluate(() => void (document.documentElement.dir = 'rtl'));
const box = async (page: TestPage, selector: string) => (await page.locator(selector).first().boundingBox())!;
