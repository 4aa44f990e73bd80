import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../support/browser/browser';
import { userOf } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

const LONG = '/stream/1/topic/long';

inBrowser('What the chat paints before React is there', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let member: Awaited<ReturnType<typeof userOf>>;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
    const owner = await userOf(node, 'owner');
    member = await userOf(node, 'member');
    const send = async (topic: string, content: string): Promise<number> => {
      const { body } = await owner.post('/messages', { type: 'stream', to: 'general', topic, content });
      return (body as { id: number }).id;
    };
    for (let at = 0; at < 40; at += 1) {
      const id = await send('long', at % 7 === 0 ? `**long** ${at} :tada:\n\n* a\n* b` : `long ${at}`);
      if (at === 38) await owner.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    }
    await send('long', '/me waves at @**Max Member**');
    await send('question', '/poll Where?\nHere\nThere');
    const private_ = { type: 'private', to: JSON.stringify(['member@example.com']), content: 'Only for you' };
    await owner.post('/messages', private_);
    page = await browser.page();
    await signInAs(page, node.url, 'Max Member');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  /** Opens a view whose React is loaded only when the test says so. */
  async function openHeld(path: string): Promise<() => Promise<void>> {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const html = await (await fetch(node.url, { headers: { Accept: 'text/html' } })).text();
    const held = [...html.matchAll(/rel="preload" as="script"[^>]*href="([^"]+)"/g)].map(
      ([, file]) => node.url + file!,
    );
    expect(held).not.toEqual([]);
    const isHeld = (url: URL): boolean => held.includes(url.href);
    await page.route(isHeld, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(node.url + path, { waitUntil: 'commit' });
    return async () => {
      release();
      await page.getByRole('navigation').first().waitFor();
      await page.unroute(isHeld);
    };
  }

  /** The rows on the screen: their content and position. Messages that are read meanwhile lose their unread mark. */
  const rowsIn = (scroller: string) =>
    page.locator(scroller).evaluate((list) => {
      const write = (element: Element): string => {
        const names = element.getAttributeNames().filter((name) => name !== 'data-unread');
        const attributes = names.sort().map((name) => `${name}=${element.getAttribute(name)}`);
        const inside = [...element.childNodes].map((each) => (each instanceof Element ? write(each) : each.nodeValue));
        return `<${element.localName} ${attributes.join(' ')}>${inside.join('')}`;
      };
      const view = list.getBoundingClientRect();
      return [...list.querySelectorAll<HTMLElement>('article')].map((row) => {
        const { top, bottom, left, right } = row.getBoundingClientRect();
        // What is above it, such as a date; the action buttons come with React.
        const around = [...row.parentElement!.children].filter((each) => each !== row).map(write);
        const own = [...row.children].slice(0, 2).map(write);
        const isSeen = top >= view.top && bottom <= view.bottom;
        return {
          id: row.dataset['messageId'],
          what: [...around, ...own, row.ariaLabel],
          at: [top, bottom, left, right],
          isSeen,
        };
      });
    });

  /** Exact for a reader: the list rounds the heights of its rows. */
  const ROUNDED = 2;

  async function seeSame(path: string): Promise<void> {
    const release = await openHeld(path);
    await page.locator('[data-painted] article').first().waitFor();
    const painted = (await rowsIn('[data-painted]')).filter(({ isSeen }) => isSeen);
    expect(painted.length).toBeGreaterThan(0);
    await release();
    // The list measures its rows before it scrolls to its position.
    const drawn = () => rowsIn('#main [data-scroller]');
    const isSame = (rows: Awaited<ReturnType<typeof drawn>>): boolean =>
      painted.every(({ id, at }) => {
        const row = rows.find((each) => each.id === id);
        return row !== undefined && at.every((edge, index) => Math.abs(edge - row.at[index]!) <= ROUNDED);
      });
    const rows = await until(drawn, isSame);
    const isPainted = new Set(painted.map(({ id }) => id));
    expect(rows.filter(({ id }) => isPainted.has(id)).map(({ what }) => what)).toEqual(painted.map(({ what }) => what));
    expect(page.troubles).toEqual([]);
  }

  test.each([
    ['a topic with unread messages', LONG],
    ['a private conversation', '/private/1'],
    ['all messages', '/all'],
  ])('React draws the same rows at the same positions as the first paint: %s', (_name, path) => seeSame(path));

  test('React draws the same rows at the same positions as the first paint: a topic read to its end', async () => {
    await member.post('/mark_all_as_read', {});
    await seeSame(LONG);
  });

  test('The first paint can be neither clicked nor focused', async () => {
    const release = await openHeld(LONG);
    await page.locator('[data-painted] article').first().waitFor();
    expect(await page.locator('[inert] [data-painted]').count()).toBe(1);
    await release();
    expect(await page.locator('[inert]').count()).toBe(0);
  });

  test('An opening page requests its queue and its messages without waiting for its session', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.route('**/web/session', async (route) => {
      await until(() => asked.includes('/api/v1/messages'));
      await route.continue();
    });
    await page.goto(node.url + LONG);
    await page.getByRole('article').first().waitFor();
    await page.unroute('**/web/session');
    expect(asked.filter((path) => /\/(register|messages)$/.test(path))).toEqual([
      '/api/v1/register',
      '/api/v1/messages',
    ]);
    page.removeAllListeners('request');
  });

  test('A page with the token of another session still opens', async () => {
    const names = async () => (await page.context().cookies(node.url)).map(({ name }) => name).toSorted();
    expect(await names()).toEqual(expect.arrayContaining(['partyline_session', 'partyline_token']));
    await page.context().addCookies([{ name: 'partyline_token', value: 'x'.repeat(64), url: node.url }]);
    await page.goto(node.url + LONG);
    await page.getByRole('article').first().waitFor();
    await page.getByRole('navigation').first().waitFor();
    expect(page.troubles).toEqual([]);
  });

  test('The first paint leaves a poll to React instead of showing its text', async () => {
    await page.addInitScript(() => {
      const note = (): void => {
        if (document.querySelector('[data-painted]')) document.documentElement.dataset['wasPainted'] = 'yes';
      };
      new MutationObserver(note).observe(document, { childList: true, subtree: true });
    });
    const wasPainted = () => page.evaluate(() => document.documentElement.dataset['wasPainted']);
    await page.goto(`${node.url}/stream/1/topic/question`);
    await page.getByText('Where?', { exact: true }).waitFor();
    expect(await wasPainted()).toBeUndefined();
    const release = await openHeld(LONG);
    await page.locator('[data-painted] article').first().waitFor();
    expect(await wasPainted()).toBe('yes');
    await release();
    expect(page.troubles).toEqual([]);
  });
});
