import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../support/browser/browser';
import { userOf } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

/** Several times what is loaded at once. */
const COUNT = 400;
const AT_ONCE = 8;
const TOPICS = ['tides', 'winds', 'rain'];

inBrowser('A long stream in a browser', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let first: number;
  let last: number;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
    const owner = await userOf(node, 'owner');
    const send = async (topic: string, content: string): Promise<number> =>
      (await owner.post('/messages', { type: 'stream', to: 'general', topic, content })).body.id as number;
    for (let at = 0; at < COUNT; at += AT_ONCE) {
      const topic = TOPICS[(at / AT_ONCE) % TOPICS.length]!;
      const texts = Array.from({ length: AT_ONCE }, (_, more) => `number ${at + more}\n\nand a second paragraph`);
      await Promise.all(texts.map((text) => send(topic, text)));
    }
    last = await send('rain', 'the very last');
    const narrow = JSON.stringify([{ operator: 'stream', operand: 'general' }]);
    const { body } = await owner.get('/messages', { anchor: 0, num_before: 0, num_after: 1, narrow });
    first = (body.messages as { id: number }[])[0]!.id;
    page = await browser.page();
    await signInAs(page, node.url, 'Max Member');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const row = (id: number) => page.locator(`[data-message-id="${id}"]`);
  const unreadInStream = async (): Promise<number> => {
    const member = await userOf(node, 'member');
    const { body } = await member.post('/register');
    const { streams } = body.unread_msgs as { streams: { stream_id: number; unread_message_ids: number[] }[] };
    return streams
      .filter((each) => each.stream_id === 1)
      .reduce((sum, each) => sum + each.unread_message_ids.length, 0);
  };

  test('Who jumps to the end of a stream has read all of it', async () => {
    await page.goto(`${node.url}/stream/1`);
    await page.getByRole('article').first().waitFor();
    expect(await unreadInStream()).toBeGreaterThan(COUNT / 2);
    await page.keyboard.press('End');
    await row(last).waitFor();
    await until(unreadInStream, (count) => count === 0);
    const link = page.getByRole('navigation').getByRole('link', { name: 'general' });
    await until(async () => /^\D*$/.test((await link.textContent()) ?? ''));
  });

  const isAtStart = (): Promise<boolean> =>
    page
      .getByRole('main')
      .locator('[data-scroller]')
      .evaluate((list, id) => list.scrollTop < 60 && list.querySelector(`[data-message-id="${id}"]`) !== null, first);

  test('Home leads to the first message of a stream that is not loaded, and End back to the last', async () => {
    await page.keyboard.press('Home');
    await until(isAtStart);
    await until(() => row(first).evaluate((one) => one.contains(document.activeElement)));
    await page.keyboard.press('End');
    await row(last).waitFor();
  });

  test('Home leads to the first message of a stream that is loaded', async () => {
    const scroller = page.getByRole('main').locator('[data-scroller]');
    await until(async () => {
      await scroller.evaluate((list) => (list.scrollTop = 0));
      return isAtStart();
    });
    await page.keyboard.press('End');
    await row(last).waitFor();
    await page.keyboard.press('Home');
    await until(isAtStart);
    expect(page.troubles).toEqual([]);
  });
});
