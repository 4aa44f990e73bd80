import {
  hasBrowser,
  messageBox,
  openBrowser,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../support/browser/browser';
import { userOf } from '../support/chat/chat';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

/** More than two pages of older messages. */
const COUNT = 480;
const AT_ONCE = 8;

inBrowser('A long conversation in a browser', () => {
  let cluster: Cluster;
  let browser: TestBrowser;
  let page: TestPage;
  let middle: number;
  let send: (content: string) => ReturnType<typeof owner.post>;
  let owner: Awaited<ReturnType<typeof userOf>>;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    const node = await cluster.node();
    browser = await openBrowser();
    owner = await userOf(node, 'owner');
    send = (content) => owner.post('/messages', { type: 'stream', to: 'general', topic: 'deep', content });
    await send('first of all');
    for (let at = 0; at < COUNT; at += AT_ONCE) {
      const sent = await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => send(`deep ${at + more}`)));
      if (at === COUNT / 2) middle = sent[0]!.body.id as number;
    }
    const { body } = await send('the last');
    page = await browser.page();
    await signInAs(page, node.url, 'Max Member');
    await page.goto(`${node.url}/stream/1/topic/deep/near/${body.id}`);
    await message('the last').waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const message = (text: string) => page.getByRole('article').filter({ has: page.getByText(text, { exact: true }) });
  const scroller = () => page.getByRole('main').locator('[data-scroller]');

  test('The time of a grouped message is shown while the pointer is on it', async () => {
    // Not the last message, which is selected.
    const row = message(`deep ${COUNT - 1}`);
    await row.waitFor();
    const { height } = (await row.boundingBox())!;
    expect(await row.locator('time').count()).toBe(0);
    await row.hover();
    const time = row.locator('time');
    await time.waitFor();
    expect(await time.textContent()).toMatch(/\d:\d\d/);
    // Nothing moves under the pointer.
    expect((await row.boundingBox())!.height).toBe(height);
    const [words, beside] = [await row.locator('.rich-text').boundingBox(), await time.boundingBox()];
    expect(beside!.x + beside!.width).toBeLessThanOrEqual(words!.x);
    await messageBox(page).hover();
    await time.waitFor({ state: 'detached' });
  });

  test('A reader who drags the scroll bar up keeps the position when older messages load', async () => {
    // Like the scroll bar: without a wheel or a key, in small steps.
    const ends = await scroller().evaluate(
      (list) =>
        new Promise<number>((resolve) => {
          let [thrown, lowest, isOver, frames] = [0, Number.MAX_SAFE_INTEGER, false, 0];
          const step = (): void => {
            // The beginning is never reached.
            if ((frames += 1) > 20_000) return resolve(-1);
            const rows = [...list.querySelectorAll<HTMLElement>('[data-message-id]')];
            const lastId = Number(rows.at(-1)?.dataset['messageId'] ?? 0);
            // More than a few screens further down.
            if (lastId > lowest + 120) thrown += 1;
            lowest = Math.min(lowest, lastId);
            isOver = rows.some(({ textContent }) => textContent.includes('first of all')) || thrown > 0;
            if (isOver) return resolve(thrown);
            list.scrollTop -= 25;
            list.scrollTop -= 100;
            requestAnimationFrame(step);
          };
          step();
        }),
    );
    expect(ends).toBe(0);
    await message('first of all').waitFor();
    expect(page.troubles).toEqual([]);
  });

  test('Older messages that arrive after a view was reloaded leave no gap in it', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const isOlder = (url: URL): boolean =>
      url.pathname === '/api/v1/messages' && url.searchParams.get('num_before') === '200';
    let isHeld = false;
    await page.route(isOlder, async (route) => {
      isHeld = true;
      await released;
      await route.continue();
    });
    await page.goto(`${new URL(page.url()).origin}/stream/1/topic/deep/near/${middle}`);
    await page.locator(`[data-message-id="${middle}"]`).waitFor();
    await until(async () => {
      await scroller().evaluate((list) => (list.scrollTop -= 200));
      return isHeld;
    });
    await page.getByRole('button', { name: 'To the newest' }).click();
    await message('the last').waitFor();
    const answered = page.waitForResponse((response) => isOlder(new URL(response.url())));
    release();
    await (await answered).finished();
    await page.unroute(isOlder);
    const gaps = await scroller().evaluate(
      (list) =>
        new Promise<number>((resolve) => {
          let frames = 0;
          const step = (): void => {
            if ((frames += 1) > 20_000) return resolve(-1);
            const rows = [...list.querySelectorAll<HTMLElement>('[data-message-id]')];
            const ids = rows.map(({ dataset }) => Number(dataset['messageId'])).sort((a, b) => a - b);
            const gaps = ids.filter((id, at) => at > 0 && id !== ids[at - 1]! + 1).length;
            if (gaps > 0 || rows.some(({ textContent }) => textContent.includes('first of all'))) return resolve(gaps);
            list.scrollTop -= 300;
            requestAnimationFrame(step);
          };
          step();
        }),
    );
    expect(gaps).toBe(0);
  });

  test('A view at its end follows new messages, and one that was scrolled up does not', async () => {
    await until(async () => {
      await page.keyboard.press('End');
      return message('the last').isVisible();
    });
    for (let at = 0; at < 40; at += 1) await send(`more ${at}`);
    await message('more 39').waitFor();
    await until(() => message('more 39').isVisible());
    const top = await scroller().evaluate((list) => (list.scrollTop -= 400));
    await until(async () => (await scroller().evaluate((list) => list.scrollTop)) <= top);
    await send('unseen');
    await page.getByRole('button', { name: 'To the newest' }).waitFor();
    expect(await scroller().evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight)).toBeGreaterThan(
      300,
    );
  });
});
