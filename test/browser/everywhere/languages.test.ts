import { hasBrowser, openBrowser, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { fillChat, openPath } from '../../support/browser/chat-places';
import { loadConversation, OPENED } from '../../support/browser/opens-above';
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

  async function openIn(locale: string, prepare?: (page: TestPage) => Promise<void>): Promise<TestPage> {
    const page = await browser.page({ ...PHONE, locale });
    await prepare?.(page);
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

  describe('A language that is written from right to left', () => {
    let page: TestPage;
    beforeAll(async () => {
      // English, whose catalogue says so: it is a part of the page.
      page = await openIn('en-GB', async (opened) => {
        await opened.route('**/assets/*.js', async (route) => {
          const answer = await route.fetch();
          const body = (await answer.text()).replace('"language.direction":"ltr"', '"language.direction":"rtl"');
          await route.fulfill({ response: answer, body });
        });
      });
    });
    afterAll(() => page.context().close());

    test('It mirrors the pages, and none is wider than its screen', async () => {
      expect(await page.evaluate(() => document.documentElement.dir)).toBe('rtl');
      const found: string[] = [];
      for (const path of paths) {
        await openPath(page, path);
        found.push(...(await cutTexts(page)), ...(await wideness(page)));
      }
      expect(found).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });
      await openPath(page, paths[0]!);
      const [side, main] = [await box(page, 'nav'), await box(page, 'main')];
      expect(side.x).toBeGreaterThan(main.x + main.width - 1);
      await page.setViewportSize(PHONE.viewport);
    });

    test('Menus, dialogs, pickers and notes stay on the screen, with nothing cut', async () => {
      const found: string[] = [];
      for (const [name, open] of Object.entries(OPENED)) {
        await loadConversation(page, node);
        await open(page);
        const looks = [...(await cutTexts(page)), ...(await wideness(page)), ...(await beside(page))];
        found.push(...looks.map((each) => `${name}: ${each}`));
      }
      expect(found).toEqual([]);
      expect(page.troubles).toEqual([]);
    });

    test('A menu opens towards the middle, and what closes a dialog stands where lines end', async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await loadConversation(page, node);
      const button = page.getByRole('button', { name: 'What to do with this view' });
      await button.click();
      const menu = page.getByRole('menu');
      await menu.waitFor();
      const [from, opened] = [(await button.boundingBox())!, (await menu.boundingBox())!];
      expect(Math.abs(opened.x - from.x)).toBeLessThan(8);
      expect(opened.width).toBeGreaterThan(from.width);
      await page.getByRole('menuitem', { name: 'Move to another stream' }).click();
      const dialog = page.getByRole('dialog');
      const close = dialog.getByRole('button', { name: 'Close' });
      await close.waitFor();
      const [around, x] = [(await dialog.boundingBox())!, (await close.boundingBox())!];
      expect(x.x + x.width / 2).toBeLessThan(around.x + around.width / 2);
    });
  });
});

/** What is open and reaches beyond the screen. */
const beside = (page: TestPage): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role=menu], [role=dialog], dialog[open], [role=listbox], [role=status]')]
      .filter((each) => each.checkVisibility({ visibilityProperty: true }))
      .map((each) => ({ each, box: each.getBoundingClientRect() }))
      .filter(({ box: { width, left, right } }) => width > 0 && (left < -1 || right > innerWidth + 1))
      .map(({ each, box: { left, right } }) => `${each.role ?? each.localName} from ${left} to ${right}`),
  );
const box = async (page: TestPage, selector: string) => (await page.locator(selector).first().boundingBox())!;
