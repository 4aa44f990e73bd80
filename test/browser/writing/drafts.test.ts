import {
  hasBrowser,
  messageBox,
  openBrowser,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../../support/browser/browser';
import { userOf, type TestUser } from '../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('Drafts in browsers', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let member: TestUser;
  /** Two browsers of one person. */
  let desk: TestPage;
  let couch: TestPage;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
    member = await userOf(node, 'member');
    [desk, couch] = [await browser.page(), await browser.page()];
    await Promise.all([desk, couch].map((page) => signInAs(page, node.url, 'Max Member')));
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const openTopic = (page: TestPage, topic: string) =>
    page.evaluate((path) => history.pushState(null, '', path), `/stream/1/topic/${topic}`);
  const saved = async () => (await member.get('/drafts')).body['drafts'] as { id: number; content: string }[];
  const entry = (page: TestPage) => page.getByRole('navigation').getByRole('button', { name: /^Drafts/ });
  const showsText = (page: TestPage, text: string) => until(async () => (await messageBox(page).inputValue()) === text);

  test('A draft is in every browser, follows changes, and is gone everywhere when it is sent', async () => {
    await Promise.all([openTopic(desk, 'shared'), openTopic(couch, 'shared')]);
    await messageBox(desk).fill('half a');
    await showsText(couch, 'half a');
    await entry(couch).getByRole('img', { name: '1' }).waitFor();
    await messageBox(couch).fill('half a thought');
    await showsText(desk, 'half a thought');
    await until(async () => (await saved())[0]?.content === 'half a thought');
    expect(await saved()).toHaveLength(1);
    await messageBox(desk).press('Control+Enter');
    await desk.getByRole('article').filter({ hasText: 'half a thought' }).waitFor();
    await showsText(couch, '');
    await until(async () => (await saved()).length === 0);
    await until(async () => (await entry(couch).getByRole('img').count()) === 0);
  });

  test('The list of drafts opens one in its conversation, and discards one for all browsers', async () => {
    const draft = { type: 'stream', to: [1], topic: 'elsewhere', content: 'from another client' };
    await member.post('/drafts', { drafts: [draft, { ...draft, topic: 'later', content: 'not now' }] });
    await entry(desk).getByRole('img', { name: '2' }).waitFor();
    await entry(desk).click();
    await desk
      .getByRole('dialog')
      .getByRole('button', { name: /from another client/ })
      .click();
    await desk.getByPlaceholder('Message #general › elsewhere').waitFor();
    await showsText(desk, 'from another client');
    await entry(desk).click();
    const row = desk.getByRole('dialog').getByRole('listitem').filter({ hasText: 'not now' });
    await row.getByRole('button', { name: 'Discard this draft' }).click();
    await until(async () => (await saved()).map(({ content }) => content).join() === 'from another client');
    await entry(couch).getByRole('img', { name: '1' }).waitFor();
    await desk.keyboard.press('Escape');
  });

  test('What was written without a connection is saved when it is back, even after a reload', async () => {
    await desk.route('**/api/v1/drafts*', (route) => route.abort());
    await openTopic(desk, 'tunnel');
    await messageBox(desk).fill('no signal');
    await desk.reload();
    await showsText(desk, 'no signal');
    expect((await saved()).some(({ content }) => content === 'no signal')).toBe(false);
    await desk.unroute('**/api/v1/drafts*');
    await desk.reload();
    await until(async () => (await saved()).some(({ content }) => content === 'no signal'));
    expect(desk.troubles.concat(couch.troubles)).toEqual([]);
  });
});
