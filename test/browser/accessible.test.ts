import { hasBrowser, messageBox, openBrowser, say, signInAs, type TestBrowser } from '../support/browser/browser';
import { userOf } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

const TOPIC = '/stream/1/topic/reach';
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

inBrowser('The chat without a mouse, without sight and on a telephone', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  async function openAs(name: string, options = {}) {
    const page = await browser.page(options);
    await signInAs(page, node.url, name);
    await page.goto(node.url + TOPIC);
    await messageBox(page).waitFor();
    return page;
  }
  type Page = Awaited<ReturnType<typeof openAs>>;

  const focused = (page: Page) =>
    page.evaluate(() => {
      const { activeElement: here } = document;
      const within = ['dialog', 'menu'].find((role) => here?.closest(`[role=${role}]`)) ?? 'page';
      return { within, role: here?.role ?? here?.localName ?? '', name: here?.ariaLabel ?? here?.textContent ?? '' };
    });

  test('A menu is opened, walked through by arrow keys and left with the keyboard', async () => {
    const page = await openAs('Olive Owner');
    const button = page.locator('[data-own-menu]');
    // The first opening loads the menu, later ones have it.
    for (const key of ['Enter', 'Space']) {
      await button.focus();
      await page.keyboard.press(key);
      await page.getByRole('menu').waitFor();
      await page.keyboard.press('ArrowDown');
      await until(async () => (await focused(page)).role === 'menuitem');
      const first = await focused(page);
      await page.keyboard.press('ArrowDown');
      await until(async () => (await focused(page)).name !== first.name);
      expect((await focused(page)).within).toBe('menu');
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await until(() => button.evaluate((own) => own === document.activeElement));
    }
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('A dialog keeps the focus while it is open, and gives it back', async () => {
    const page = await openAs('Max Member');
    await say(page, 'Back to here');
    const row = page.getByRole('article').filter({ hasText: 'Back to here' });
    await row.waitFor();
    await page.keyboard.press('Escape');
    for (const key of ['?']) {
      await row.focus();
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      await until(async () => (await focused(page)).within === 'dialog');
      for (let turn = 0; turn < 6; turn += 1) {
        await page.keyboard.press('Tab');
        expect([key, (await focused(page)).within]).toEqual([key, 'dialog']);
      }
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await until(() => row.evaluate((own) => own === document.activeElement));
    }
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('New messages of others are announced politely, many at once in one sentence', async () => {
    const page = await openAs('Max Member');
    const owner = await userOf(node, 'owner');
    const send = (content: string) =>
      owner.post('/messages', { type: 'stream', to: 'general', topic: 'reach', content });
    const spoken = page.locator('[aria-live=polite]').filter({ hasText: 'Olive Owner' });
    await page.evaluate(() => {
      const changes: string[] = [];
      Object.assign(globalThis, { changes });
      for (const each of document.querySelectorAll('[aria-live=polite]'))
        new MutationObserver(() => changes.push(each.textContent ?? '')).observe(each, {
          childList: true,
          characterData: true,
          subtree: true,
        });
    });
    for (let at = 0; at < 12; at += 1) await send(`Said ${at}`);
    await spoken.filter({ hasText: 'Said 11' }).waitFor();
    const changes = await page.evaluate(() => (globalThis as unknown as { changes: string[] }).changes);
    expect(changes.length).toBeLessThanOrEqual(6);
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('Nothing moves for a user who wants no motion', async () => {
    const page = await openAs('Max Member', { reducedMotion: 'reduce' });
    await page.keyboard.press('Escape');
    await page.evaluate(() => {
      const moved: string[] = [];
      Object.assign(globalThis, { moved });
      const note = ({ target, type }: Event): void => void moved.push(`${type} ${(target as Element).className}`);
      for (const type of ['transitionrun', 'transitionstart']) document.addEventListener(type, note, true);
    });
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('[data-own-menu]').click();
    await page.getByRole('menu').waitFor();
    expect(await page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)).toEqual([]);
    await page.context().close();
  });

  test('The composer stays on the screen of a telephone when its keyboard comes up', async () => {
    const page = await openAs('Ola Other', PHONE);
    const content = await page.locator('meta[name=viewport]').getAttribute('content');
    expect(content).toContain('interactive-widget=resizes-content');
    await messageBox(page).tap();
    await messageBox(page).fill('On my way');
    // What the keyboard leaves.
    await page.setViewportSize({ width: 360, height: 380 });
    const isSeen = async (): Promise<boolean> => {
      const boxes = [
        await messageBox(page).boundingBox(),
        await page.getByRole('button', { name: 'Send' }).boundingBox(),
      ];
      return boxes.every((box) => box !== null && box.y >= 0 && box.y + box.height <= 380);
    };
    await until(isSeen);
    // Where a keyboard covers the page instead of making it smaller.
    await page.setViewportSize(PHONE.viewport);
    await page.evaluate(() => {
      Object.defineProperty(visualViewport!, 'height', { value: 380, configurable: true });
    });
    await until(async () => {
      await page.evaluate(() => visualViewport!.dispatchEvent(new Event('resize')));
      return isSeen();
    });
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });
});
