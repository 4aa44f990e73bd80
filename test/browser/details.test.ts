import {
  hasBrowser,
  messageBox,
  openBrowser,
  say,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../support/browser/browser';
import { userOf, type TestUser } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

const TOPIC = '/stream/1/topic/details';

inBrowser('Details of conversations', () => {
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
    browser = await openBrowser();
    page = await browser.page();
    await signInAs(page, node.url, 'Max Member');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const send = async (content: string, topic = 'details'): Promise<number> =>
    (await owner.post('/messages', { type: 'stream', to: 'general', topic, content })).body.id;
  const message = (text: string) => page.getByRole('article').filter({ hasText: text });
  const card = () => page.getByRole('dialog', { name: /^About / });

  test('Words are selected with the mouse, also over a mention, which a click opens', async () => {
    await send('Ask @**Ola Other** about the harbour');
    await page.goto(node.url + TOPIC);
    const mention = message('harbour').locator('.user-mention');
    await mention.waitFor();
    const { x, y, width, height } = (await mention.boundingBox())!;
    const middle = y + height / 2;
    await page.mouse.move(x + 2, middle);
    await page.mouse.down();
    await page.mouse.move(x + width - 4, middle, { steps: 5 });
    await page.mouse.up();
    await until(() => page.evaluate(() => (getSelection()?.toString() ?? '').length > 3));
    expect(await card().count()).toBe(0);
    await mention.click();
    await card().getByRole('heading', { name: 'Ola Other' }).waitFor();
  });

  test('The buttons of a card are as wide as the card, row by row', async () => {
    const { left, right } = await card()
      .getByRole('button', { name: 'Write a message' })
      .evaluate((first) => {
        const rows = new Map<number, { left: number; right: number }>();
        for (const each of first.parentElement!.children) {
          const box = each.getBoundingClientRect();
          const row = rows.get(Math.round(box.top)) ?? { left: Infinity, right: 0 };
          rows.set(Math.round(box.top), { left: Math.min(row.left, box.left), right: Math.max(row.right, box.right) });
        }
        const edges = [...rows.values()];
        return {
          left: new Set(edges.map((row) => Math.round(row.left))).size,
          right: new Set(edges.map((row) => Math.round(row.right))).size,
        };
      });
    expect([left, right]).toEqual([1, 1]);
    await page.keyboard.press('Escape');
    await card().waitFor({ state: 'detached' });
  });

  test('A topic that is renamed does not make its messages edited, a change of words does', async () => {
    const id = await send('As I said', 'rough details');
    await page.goto(`${node.url}/stream/1`);
    await message('As I said').waitFor();
    const change = { topic: 'fine details', propagate_mode: 'change_all' };
    expect((await owner.patch(`/messages/${id}`, change)).status).toBe(200);
    await page.getByRole('main').locator('[data-bar]').filter({ hasText: 'fine details' }).first().waitFor();
    const edited = page.getByRole('article').getByRole('button', { name: 'edited' });
    expect(await edited.count()).toBe(0);
    await page.reload();
    await message('As I said').waitFor();
    expect(await edited.count()).toBe(0);
    expect((await owner.patch(`/messages/${id}`, { content: 'As I meant' })).status).toBe(200);
    await message('As I meant').getByRole('button', { name: 'edited' }).waitFor();
  });

  test('The field that edits the last message is in view with its buttons, and the list stays at its end', async () => {
    for (let at = 0; at < 30; at += 1) await send(`line ${at}`, 'long');
    await page.goto(`${node.url}/stream/1/topic/long`);
    await message('line 0').waitFor();
    await say(page, 'not quite right');
    await message('not quite right').waitFor();
    await messageBox(page).press('ArrowUp');
    const save = page.getByRole('article').last().getByRole('button', { name: 'Save' });
    const isAboveComposer = async (target: typeof save): Promise<boolean> => {
      const [box, composer] = [await target.boundingBox(), await page.locator('#composer').boundingBox()];
      return box !== null && composer !== null && box.y + box.height <= composer.y + 1;
    };
    await until(() => isAboveComposer(save));
    await page.keyboard.press('Escape');
    await save.waitFor({ state: 'detached' });
    await send('one more', 'long');
    await message('one more').waitFor();
    await until(() => isAboveComposer(message('one more')));
  });

  test('A topic is completed also if its stream’s topics come after its first letters', async () => {
    await owner.post('/messages', { type: 'stream', to: 'test', topic: 'night train', content: 'leaves at ten' });
    await page.goto(node.url + TOPIC);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/users/me/*/topics', async (route) => {
      await released;
      await route.continue();
    });
    await messageBox(page).fill('');
    await messageBox(page).pressSequentially('#test>nig');
    release();
    await page.getByRole('option', { name: /night train/ }).waitFor();
    await messageBox(page).press('Enter');
    await until(async () => (await messageBox(page).inputValue()) === '#**test>night train** ');
    await messageBox(page).fill('');
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('What a stream is for is said without Markdown', async () => {
    const description = 'The **whole** house, see `rules`';
    await owner.patch('/streams/1', { description: JSON.stringify(description) });
    await page.getByTitle('The whole house, see rules').waitFor();
    await page.goto(`${node.url}/streams`);
    await page.getByText('The whole house, see rules').waitFor();
    await page.goto(`${node.url}/streams/1`);
    const colour = page.getByLabel('Colour');
    await colour.waitFor();
    expect(await colour.evaluate((each) => getComputedStyle(each).appearance)).toBe('none');
  });

  test('A message that was chosen in a view is not answered from a page without messages', async () => {
    await send('to be chosen', 'chosen');
    await page.goto(`${node.url}/stream/1/topic/chosen`);
    await message('to be chosen').click();
    await page.locator('article[data-selected]').waitFor();
    await page.evaluate(() => history.pushState(null, '', '/recent'));
    await page.getByRole('heading', { level: 1, name: 'Recent conversations' }).waitFor();
    const composer = page.getByRole('region', { name: 'Write a message' });
    await composer.getByRole('button', { name: 'New topic' }).waitFor();
    expect(await composer.getByRole('button', { name: 'Reply to the selected message' }).count()).toBe(0);
  });

  test('An address that leads nowhere has a title of its own', async () => {
    await page.goto(`${node.url}/streams/1`);
    await page.getByRole('heading', { name: 'general', exact: true }).waitFor();
    await page.evaluate(() => history.pushState(null, '', '/nowhere/at/all'));
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    await until(async () => (await page.title()).includes('There is nothing here'));
  });

  test('The head of a topic on a telephone shows it whole, or ends with dots', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const [topic, isWhole] of [
      ['release 2.4', true],
      ['A topic whose name is long', false],
    ] as const) {
      await page.goto(`${node.url}/stream/1/topic/${encodeURIComponent(topic)}`);
      const name = page.getByRole('heading', { level: 1 }).getByText(topic);
      await name.waitFor();
      const edges = await name.evaluate((each) => ({
        isWhole: each.scrollWidth <= each.clientWidth,
        beyond: each.getBoundingClientRect().right - each.parentElement!.getBoundingClientRect().right,
      }));
      expect(edges.isWhole).toBe(isWhole);
      expect(edges.beyond).toBeLessThanOrEqual(1);
    }
  });

  test('A message that waits stands where it will stand once it is sent, on a telephone too', async () => {
    await page.goto(`${node.url}/stream/1/topic/waiting`);
    await say(page, 'sent');
    await message('sent').waitFor();
    await page.context().setOffline(true);
    await messageBox(page).fill('waits');
    await messageBox(page).press('Control+Enter');
    const waiting = page.getByText('waits', { exact: true });
    await waiting.waitFor();
    const left = async (target: typeof waiting) => (await target.boundingBox())!.x;
    expect(await left(waiting)).toBe(await left(page.getByText('sent', { exact: true })));
    await page.context().setOffline(false);
    await message('waits').waitFor();
    expect(page.troubles).toEqual([]);
  });
});
