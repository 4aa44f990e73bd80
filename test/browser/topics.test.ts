import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../support/browser/browser';
import { userOf, type TestUser } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('The menus of topics and streams', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let owner: TestUser;
  let member: TestUser;
  let general: number;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    [owner, member] = [await userOf(node, 'owner'), await userOf(node, 'member')];
    general = (await owner.get('/get_stream_id', { stream: 'general' })).body.stream_id;
    browser = await openBrowser();
    page = await browser.page();
    await signInAs(page, node.url, 'Max Member');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const send = async (topic: string, content: string): Promise<number> =>
    (await owner.post('/messages', { type: 'stream', to: 'general', topic, content })).body.id;
  const show = async (topic: string, content: string) => {
    await page.goto(`${node.url}/stream/${general}/topic/${encodeURIComponent(topic)}`);
    await page.getByRole('main').getByText(content, { exact: true }).waitFor();
  };
  const row = (topic: string) => page.getByRole('list', { name: 'Topics' }).getByRole('link', { name: topic });
  const choose = async (topic: string, entry: string) => {
    await row(topic).click({ button: 'right' });
    await page.getByRole('menuitem', { name: entry, exact: true }).click();
  };
  const policies = async (): Promise<{ topic_name: string; visibility_policy: number }[]> =>
    (await member.post('/register', { fetch_event_types: ['user_topic'] })).body.user_topics;

  test('A right click on a topic opens its menu, in which it is followed and muted', async () => {
    await send('lunch', 'soup');
    await show('lunch', 'soup');
    await choose('lunch', 'Follow the topic');
    await row('lunch').getByRole('img', { name: 'You follow this topic' }).waitFor();
    expect(await policies()).toMatchObject([{ topic_name: 'lunch', visibility_policy: 3 }]);
    await choose('lunch', 'Mute the topic');
    await until(async () => (await policies())[0]?.visibility_policy === 1);
  });

  test('The settings list these topics and change them', async () => {
    await page.goto(`${node.url}/settings/topics`);
    const field = page.getByRole('combobox', { name: 'Setting of lunch' });
    expect(await field.inputValue()).toBe('1');
    await field.selectOption('0');
    await page.getByText('You have neither muted nor followed a topic.', { exact: false }).waitFor();
    expect(await policies()).toEqual([]);
  });

  test('A resolved topic gets a check mark, and its reader stays in it', async () => {
    await send('Printer', 'on fire');
    await show('Printer', 'on fire');
    await page.getByRole('button', { name: 'Menu of the topic Printer' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Mark as resolved' }).click();
    await page.getByRole('heading', { level: 1, name: '✔ Printer' }).waitFor();
    await page.getByText('has marked this topic as resolved.').waitFor();
    await row('✔ Printer').waitFor();
    await page.getByText('on fire', { exact: true }).waitFor();
  });

  test('A topic moves to another stream with its reader', async () => {
    await send('travels', 'suitcase');
    await show('travels', 'suitcase');
    await choose('travels', 'Move to another stream');
    const dialog = page.getByRole('dialog', { name: 'Move to another stream' });
    await dialog.getByRole('combobox', { name: 'Stream' }).click();
    await page.getByRole('option', { name: 'test', exact: true }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    const target = (await owner.get('/get_stream_id', { stream: 'test' })).body.stream_id;
    await page.waitForURL(`${node.url}/stream/${target}/topic/travels`);
    await page.getByRole('main').getByText('suitcase', { exact: true }).waitFor();
    await page.getByText('This topic was moved here from').waitFor();
  });

  test('A bar offers to subscribe to a stream that one only reads', async () => {
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'open house' }] });
    const id = (await owner.get('/get_stream_id', { stream: 'open house' })).body.stream_id;
    await page.goto(`${node.url}/stream/${id}`);
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
    await page.getByText('without being subscribed').waitFor({ state: 'detached' });
    const { subscriptions } = (await member.get('/users/me/subscriptions')).body;
    expect(subscriptions.map(({ name }: { name: string }) => name)).toContain('open house');
    expect(page.troubles).toEqual([]);
  });
});
