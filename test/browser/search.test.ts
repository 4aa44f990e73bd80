import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../support/browser/browser';
import { openPath } from '../support/browser/chat-places';
import { userOf, type TestUser } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { startWorkers } from '../support/kernel/workers';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('Search, read receipts and files', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let owner: TestUser;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
    owner = await userOf(node, 'owner');
    const other = await userOf(node, 'other');
    await owner.post('/messages', { type: 'stream', to: 'general', topic: 'tea', content: 'earl grey' });
    await other.post('/messages', { type: 'stream', to: 'general', topic: 'tea', content: 'green tea' });
    await startWorkers(cluster, 'chat-search');
    page = await browser.page();
    await signInAs(page, node.url, 'Max Member');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const go = (path: string) => page.evaluate((to) => history.pushState(null, '', to), path);
  const box = () => page.getByRole('combobox', { name: 'Search messages' });
  const message = (text: string) => page.getByRole('article').filter({ has: page.getByText(text, { exact: true }) });

  test('People are found by their names, streams also as channels', async () => {
    await box().fill('channel:general from:"olive owner" topic:tea');
    await box().press('Enter');
    await message('earl grey').waitFor();
    expect(await message('green tea').count()).toBe(0);
    expect(await box().inputValue()).toContain('from:owner@example.com');
  });

  test('Operators are suggested', async () => {
    await box().fill('is:res');
    await page.getByRole('option', { name: 'is:resolved' }).click();
    await page.getByRole('main').getByRole('article').first().waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/search/is%3Aresolved');
  });

  test('One’s own messages, private ones and those with links are searched, and found words are marked', async () => {
    const member = await userOf(node, 'member');
    await member.post('/messages', {
      type: 'stream',
      to: 'general',
      topic: 'herbs',
      content: 'mint https://example.com',
    });
    await owner.post('/messages', { type: 'private', to: [member.id], content: 'mint, for you' });
    const searched = async (query: string, found: string, others: readonly string[]): Promise<void> => {
      await box().fill(query);
      await box().press('Enter');
      await page.getByRole('article').filter({ hasText: found }).waitFor();
      for (const other of others) expect(await page.getByRole('article').filter({ hasText: other }).count()).toBe(0);
    };
    await searched('sender:me', 'mint https', ['earl grey', 'for you']);
    await searched('dm:"Olive Owner"', 'for you', ['earl grey', 'mint https']);
    await searched('channel:general has:link', 'mint https', ['earl grey', 'for you']);
    // Words are found once a worker has seen the message.
    await until(async () => {
      await box().fill('mint');
      await box().press('Enter');
      return page.getByRole('article').filter({ hasText: 'for you' }).isVisible();
    });
    await page.getByRole('article').filter({ hasText: 'for you' }).waitFor();
    const marks = page.getByRole('article').locator('.highlight');
    await until(async () => (await marks.allTextContents()).join() === 'mint,mint');
  });

  test('Links of today’s Zulip open their views in the page, also where the topic has another name now', async () => {
    const { id } = (
      await owner.post('/messages', { type: 'stream', to: 'general', topic: 'coffee', content: 'espresso' })
    ).body as { id: number };
    const { id: last } = (
      await owner.post('/messages', {
        type: 'stream',
        to: 'general',
        topic: 'addresses',
        content: [
          `[moved](#narrow/channel/1-general/topic/coffee/with/${id})`,
          `[here](#narrow/channel/1-general/topic/tea)`,
          `[people](#narrow/dm/${owner.id}-Olive-Owner)`,
          `[all](#narrow/is/dm)`,
        ].join(' '),
      })
    ).body as { id: number };
    await owner.patch(`/messages/${id}`, { topic: 'hot drinks', propagate_mode: 'change_all' });
    const follow = async (name: string, path: string): Promise<void> => {
      await go(`/stream/1/topic/addresses/near/${last}`);
      await page.getByRole('article').getByRole('link', { name, exact: true }).click();
      await until(
        () => page.evaluate(() => location.pathname),
        (at) => at === path,
      );
    };
    await follow('here', '/stream/1/topic/tea');
    await follow('people', `/private/${owner.id}`);
    await follow('all', '/private');
    await follow('moved', '/stream/1/topic/hot%20drinks');
    await message('espresso').waitFor();
    await page.goto(`${node.url}/#narrow/channel/1-general/topic/coffee/with/${id}`);
    await message('espresso').waitFor();
    expect(page.context().pages()).toHaveLength(1);
  });

  test('Topics that the page has not loaded are found by the search and by the palette', async () => {
    const subscriptions = [{ name: 'harbour' }];
    await owner.post('/users/me/subscriptions', { subscriptions, principals: ['member@example.com'] });
    for (const content of ['one', 'two']) {
      await owner.post('/messages', { type: 'stream', to: 'harbour', topic: 'lighthouse keeper', content });
    }
    await page.goto(`${node.url}/stream/1/topic/tea`);
    await box().fill('lighth');
    const option = page.getByRole('option', { name: 'stream:harbour topic:"lighthouse keeper"' });
    await option.getByText('2 unread').waitFor();
    await option.click();
    await message('two').waitFor();
    await page.goto(`${node.url}/stream/1/topic/tea`);
    await page.getByRole('button', { name: /^Find anything/ }).click();
    await page.getByRole('combobox', { name: /^Go to a stream/ }).fill('keeper');
    await page.getByRole('option', { name: 'lighthouse keeper' }).click();
    await until(() => page.url().endsWith('/topic/lighthouse%20keeper'));
    await message('one').waitFor();
    // The name that was typed comes before newer ones that contain it.
    await owner.post('/messages', {
      type: 'stream',
      to: 'harbour',
      topic: 'second lighthouse keeper',
      content: 'three',
    });
    await page.getByRole('navigation').getByRole('link', { name: 'second lighthouse keeper' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Go to a stream/ }).fill('lighthouse keeper');
    await page.getByRole('option', { name: 'second lighthouse keeper' }).waitFor();
    expect(await page.getByRole('option').first().textContent()).toMatch(/^lighthouse keeperharbour$/);
    await page.keyboard.press('Escape');
  });

  test('A search begins at the day that it names, and says so if nothing was written since', async () => {
    await page.goto(`${node.url}/stream/1/topic/tea`);
    await box().fill('stream:general topic:tea date:yesterday');
    await box().press('Enter');
    await until(() => /\/near\/\d+$/.test(page.url()));
    await message('earl grey').waitFor();
    await box().fill('stream:general topic:tea date:2199-01-01');
    await box().press('Enter');
    await page.getByText('There are no messages on or after this day').waitFor();
    await message('green tea').waitFor();
  });

  test('The key / leads to the search on every page, also on those without messages', async () => {
    for (const path of ['/', '/recent', '/settings/appearance', '/streams', '/streams/1', '/stream/1']) {
      await openPath(page, path);
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await page.keyboard.press('/');
      await until(() => page.evaluate(() => document.activeElement?.id === 'search'));
    }
    await openPath(page, '/settings/appearance');
    await until(async () => /^(\(\d+\) )?Appearance · Settings · /.test(await page.title()));
    await openPath(page, '/streams/1');
    await until(async () => /^(\(\d+\) )?general · All streams · /.test(await page.title()));
  });

  test('Whoever is searched, chosen or mentioned has the same face, name and address', async () => {
    await page.goto(`${node.url}/stream/1/topic/tea`);
    const option = () => page.getByRole('option').filter({ hasText: 'Olive Owner' }).first();
    const isWhole = async (): Promise<void> => {
      await option().getByText('owner@example.com', { exact: true }).waitFor();
      await option().locator('[data-initials], img').first().waitFor();
    };
    await box().fill('oliv');
    for (const operator of ['sender:', 'dm:'])
      await page.getByRole('option').filter({ hasText: operator }).filter({ hasText: 'Olive Owner' }).waitFor();
    await box().fill('sender:oliv');
    await isWhole();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('olive');
    await isWhole();
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Text of the message' }).pressSequentially('@oliv');
    await isWhole();
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Text of the message' }).fill('');
  });

  test('Suggestions count what is unread in followed and resolved topics', async () => {
    await owner.post('/messages', { type: 'stream', to: 'general', topic: '✔ cake', content: 'It is eaten' });
    await page.goto(`${node.url}/private`);
    await box().fill('is:reso');
    await page.getByRole('option', { name: 'is:resolved' }).getByText('1 unread').waitFor();
    await page.keyboard.press('Escape');
  });

  test('A message tells who has read it', async () => {
    const { body } = await owner.get('/messages', {
      anchor: 1e16,
      num_before: 1,
      num_after: 0,
      narrow: [['topic', 'tea']],
    });
    const { id } = body.messages[0] as { id: number };
    await owner.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' });
    await page.goto(`${node.url}/stream/1/topic/tea`);
    await message('green tea').hover();
    await message('green tea').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Read by' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Olive Owner' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('Uploaded files are listed and deleted', async () => {
    const file = { name: 'minutes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') };
    const picker = page.getByRole('region', { name: 'Write a message' }).locator('input[type=file]');
    // A page that is left ends its uploads.
    await Promise.all([page.waitForResponse('**/api/v1/user_uploads'), picker.setInputFiles(file)]);
    await page.goto(`${node.url}/settings/files`);
    await page.getByRole('link', { name: 'minutes.txt' }).waitFor();
    const remove = page.getByRole('list', { name: 'Uploaded files' }).getByRole('button');
    await remove.click();
    await remove.click();
    await page.getByText('You have not uploaded anything yet.').waitFor();
    expect(page.troubles).toEqual([]);
  });
});
