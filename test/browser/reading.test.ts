import {
  hasBrowser,
  messageBox,
  openBrowser,
  say,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../support/browser/browser';
import { userOf } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

/** More than are loaded when a view is opened. */
const MANY = 160;
const AT_ONCE = 8;

inBrowser('Reading in the chat', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let owner: Awaited<ReturnType<typeof userOf>>;
  let last: number;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
    owner = await userOf(node, 'owner');
    for (let at = 0; at < MANY; at += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => send('many', `many ${at + more}`)));
    }
    last = (await send('many', 'the last of many')).body.id as number;
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
  const isAtEnd = () =>
    scroller().evaluate((list) => Math.abs(list.scrollHeight - list.scrollTop - list.clientHeight) <= 1);
  const unreadOf = (topic: string) => page.getByRole('navigation').getByRole('link', { name: topic });
  const untilReadOnServer = async (read: string): Promise<void> => {
    const member = await userOf(node, 'member');
    await until(async () => {
      const { body } = await member.post('/register');
      const streams = (body.unread_msgs as { streams: { topic: string }[] }).streams;
      return streams.every(({ topic }) => topic !== read);
    });
  };

  test('Who jumps to the end of a conversation has read all of it', async () => {
    await page.goto(`${node.url}/stream/1/topic/many`);
    await message('many 0').waitFor();
    await until(async () => (await unreadOf('many').textContent())?.includes('1') ?? false);
    await page.keyboard.press('End');
    await message('the last of many').waitFor();
    await until(async () => /^many\s*$/.test((await unreadOf('many').textContent()) ?? ''));
    await untilReadOnServer('many');
  });

  test('What was read is read, also if its reader leaves at once', async () => {
    await send('short', 'a word in passing');
    await page.goto(`${node.url}/stream/1/topic/short`);
    await message('a word in passing').and(page.locator(':not([data-unread])')).waitFor();
    await page.goto('about:blank');
    await untilReadOnServer('short');
    await page.goto(`${node.url}/stream/1/topic/many`);
    await message('the last of many').waitFor();
  });

  test('Messages that were made unread stay unread while their reader stays', async () => {
    await message('the last of many').hover();
    await page.getByRole('button', { name: 'More' }).last().click();
    await page.getByRole('menuitem', { name: 'Mark as unread from here' }).click();
    await until(async () => (await unreadOf('many').textContent())?.includes('1') ?? false);
    await send('many', 'one more');
    await message('one more').waitFor();
    await until(async () => (await unreadOf('many').textContent())?.includes('2') ?? false);
  });

  test('A message that its author writes in many lines is in view once it is sent, and the list follows', async () => {
    await page.goto(`${node.url}/stream/1/topic/many`);
    await message('one more').waitFor();
    await until(isAtEnd);
    await messageBox(page).pressSequentially('1\n2\n3\n4\n5\n6\n7');
    await until(isAtEnd);
    await messageBox(page).press('Control+Enter');
    const own = page.getByRole('article').filter({ hasText: /1\s*2\s*3\s*4\s*5\s*6\s*7/ });
    await own.waitFor();
    await until(isAtEnd);
    await send('many', 'an answer');
    await message('an answer').waitFor();
    await until(isAtEnd);
  });

  test('Who sends a message while they read older ones is taken to it', async () => {
    await scroller().evaluate((list) => (list.scrollTop = 0));
    await page.getByRole('button', { name: 'To the newest' }).waitFor();
    await say(page, 'from far above');
    await until(isAtEnd);
    await message('from far above').waitFor();
    await page.goto(`${node.url}/stream/1/topic/many`);
  });

  test('A message that is sent from the middle of a long conversation is loaded with those around it', async () => {
    const found = await owner.get('/messages', {
      anchor: 0,
      num_before: 0,
      num_after: 1,
      narrow: JSON.stringify([{ operator: 'topic', operand: 'many' }]),
    });
    const [{ id }] = found.body.messages as [{ id: number }];
    const fresh = await browser.page();
    await signInAs(fresh, node.url, 'Max Member');
    await fresh.goto(`${node.url}/stream/1/topic/many/near/${id}`);
    await fresh.locator(`[data-message-id="${id}"]`).waitFor();
    await say(fresh, 'from the middle');
    await fresh.getByRole('article').filter({ hasText: 'from the middle' }).waitFor();
    expect(fresh.troubles).toEqual([]);
    await fresh.context().close();
  });

  test('A page that comes back from the browser cache lacks what was deleted, and has what is new', async () => {
    const { body } = await send('many', 'soon deleted');
    await message('soon deleted').waitFor();
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
    await owner.del(`/messages/${String(body.id)}`);
    await send('many', 'sent meanwhile');
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    await message('sent meanwhile').waitFor();
    await until(async () => (await message('soon deleted').count()) === 0);
    expect(page.troubles).toEqual([]);
  });

  test('Older messages that could not be loaded are there soon, without scrolling again', async () => {
    let asked = 0;
    const older = /\/messages\?.*num_after=0/;
    await page.route(older, (route) => {
      asked += 1;
      return asked > 2 ? route.continue() : route.abort();
    });
    await page.goto(`${node.url}/stream/1/topic/many/near/${last}`);
    await message('the last of many').waitFor();
    const goUp = () => scroller().evaluate((list) => (list.scrollTop = 0));
    await until(async () => {
      await goUp();
      return asked > 0;
    });
    await page.keyboard.press('End');
    await until(() => asked > 2);
    await page.unroute(older);
    await until(async () => {
      await goUp();
      return message('many 0').isVisible();
    });
    expect(page.troubles).toEqual([]);
  });
});

inBrowser('Notifications in the chat', () => {
  test('A browser that refuses notifications of pages still shows every message', async () => {
    const cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    const node = await cluster.node();
    const browser = await openBrowser();
    try {
      const page = await browser.page();
      // As in Chrome on Android.
      await page.addInitScript(() => {
        const tried: unknown[] = [];
        class Refused {
          static permission = 'granted';
          constructor() {
            tried.push(1);
            throw new TypeError('Illegal constructor');
          }
        }
        Object.assign(window, { Notification: Refused, tried });
        document.hasFocus = () => false;
      });
      await signInAs(page, node.url, 'Max Member');
      const owner = await userOf(node, 'owner');
      const member = await userOf(node, 'member');
      const write = (content: string) =>
        owner.post('/messages', { type: 'private', to: JSON.stringify([member.email]), content });
      await page.goto(`${node.url}/private`);
      await write('first note');
      await page.getByRole('article').filter({ hasText: 'first note' }).waitFor();
      await write('second note');
      await page.getByRole('article').filter({ hasText: 'second note' }).waitFor();
      expect(await page.evaluate(() => (window as unknown as { tried: unknown[] }).tried.length)).toBe(2);
      expect(page.troubles).toEqual([]);
    } finally {
      await browser.close();
      await cluster.close();
    }
  });
});
