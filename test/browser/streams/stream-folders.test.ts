import { axeFindings } from '../../support/browser/axe';
import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { userOf } from '../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('Folders of streams, and inactive streams', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let admin: TestPage;
  let member: Awaited<ReturnType<typeof userOf>>;
  let ids: Readonly<Record<string, number>>;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
    member = await userOf(node, 'member');
    const owner = await userOf(node, 'owner');
    const people = { principals: [owner.email, member.email] };
    const names = ['alpha', 'beta', 'gamma'];
    await owner.post('/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })), ...people });
    const { body } = await member.get('/users/me/subscriptions');
    const streams = body.subscriptions as { name: string; stream_id: number }[];
    ids = Object.fromEntries(streams.map((each) => [each.name, each.stream_id]));
    page = await browser.page({ reducedMotion: 'reduce' });
    await signInAs(page, node.url, 'Max Member');
    admin = await browser.page({ reducedMotion: 'reduce' });
    await signInAs(admin, node.url, 'Olive Owner');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const side = () => page.getByRole('navigation', { name: 'Streams and conversations' });
  const section = (name: string) => side().getByRole('region', { name, exact: true });
  const headings = () => side().getByRole('heading').allTextContents();
  const showsHeadings = (names: readonly string[]) =>
    until(headings, (found) => names.join() === found.filter((name) => names.includes(name)).join());
  const rowOf = (name: string) => admin.locator('main li').filter({ hasText: new RegExp(`^${name}`) });
  const create = async (name: string, description: string) => {
    const form = admin.locator('section', { hasText: 'New folder' });
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('Description').fill(description);
    await form.getByRole('button', { name: 'Add' }).click();
    await rowOf(name).waitFor();
  };

  test('An administrator makes folders, puts a stream into one, and everybody sees it there', async () => {
    await admin.goto(`${node.url}/settings/folders`);
    await create('Products', 'What we make');
    await create('Teams', '');
    expect(await axeFindings(admin)).toEqual([]);
    await admin.goto(`${node.url}/streams/${ids['beta']}`);
    await admin.getByRole('combobox', { name: 'Folder' }).click();
    await admin.getByRole('option', { name: 'Teams' }).click();
    await section('Teams').getByRole('link', { name: 'beta' }).waitFor();
    expect(await section('Streams').getByRole('link', { name: 'beta' }).count()).toBe(0);
    expect(await section('Products').count()).toBe(0);
  });

  test('Folders are ordered and renamed, and the side bars of others follow', async () => {
    await member.post('/users/me/subscriptions', { subscriptions: [{ name: 'delta' }] });
    await admin.goto(`${node.url}/streams/${ids['alpha']}`);
    await admin.getByRole('combobox', { name: 'Folder' }).click();
    await admin.getByRole('option', { name: 'Products' }).click();
    await showsHeadings(['Products', 'Teams', 'Streams']);
    await admin.goto(`${node.url}/settings/folders`);
    await admin.getByRole('button', { name: 'Move Teams up' }).click();
    await showsHeadings(['Teams', 'Products', 'Streams']);
    await admin.getByRole('button', { name: 'Edit Teams' }).click();
    const row = rowOf('Teams');
    await row.getByLabel('Name').fill('Groups');
    await row.getByRole('button', { name: 'Save' }).click();
    await section('Groups').getByRole('link', { name: 'beta' }).waitFor();
  });

  test('A folder of the side bar is folded, and stays so after a reload', async () => {
    await section('Groups').getByRole('button', { name: 'Groups' }).click();
    await section('Groups').getByRole('link', { name: 'beta' }).waitFor({ state: 'detached' });
    await page.reload();
    await section('Products').getByRole('link', { name: 'alpha' }).waitFor();
    expect(await section('Groups').getByRole('link', { name: 'beta' }).count()).toBe(0);
    await section('Groups').getByRole('button', { name: 'Groups' }).click();
    await section('Groups').getByRole('link', { name: 'beta' }).waitFor();
  });

  test('A folder that is in use cannot be archived, and an empty one comes back', async () => {
    const row = rowOf('Groups');
    await row.getByRole('button', { name: 'Archive' }).click();
    await admin.getByText('You need to remove all the channels from this folder to archive it.').waitFor();
    await admin.goto(`${node.url}/streams/${ids['beta']}`);
    await admin.getByRole('combobox', { name: 'Folder' }).click();
    await admin.getByRole('option', { name: 'No folder' }).click();
    await section('Streams').getByRole('link', { name: 'beta' }).waitFor();
    await admin.goto(`${node.url}/settings/folders`);
    await row.getByRole('button', { name: 'Archive' }).click();
    await row.getByRole('button', { name: 'Bring back' }).click();
    await admin.getByRole('button', { name: 'Edit Groups' }).waitFor();
  });

  test('A member who makes a stream chooses its folder', async () => {
    await page.goto(`${node.url}/streams/new`);
    await page.getByRole('textbox', { name: 'Name' }).fill('epsilon');
    await page.getByRole('combobox', { name: 'Folder' }).click();
    await page.getByRole('option', { name: 'Products' }).click();
    await page.getByRole('button', { name: 'Create the stream' }).click();
    await section('Products').getByRole('link', { name: 'epsilon' }).waitFor();
  });

  test('Streams without messages for half a year stand apart and folded, if one likes, until somebody writes', async () => {
    const { mysql } = node.kernel;
    const stream = { id: ids['gamma']! };
    await mysql('chat_streams')
      .where(stream)
      .update({ created_at: mysql.raw('NOW(3) - INTERVAL 200 DAY') });
    await mysql('chat_messages').where({ recipient_id: stream.id }).delete();
    await page.goto(`${node.url}/settings/appearance`);
    await page.getByRole('combobox', { name: 'Streams without messages for half a year' }).click();
    await page.getByRole('option', { name: 'Apart from the others' }).click();
    await section('Inactive').waitFor();
    expect(await side().getByRole('link', { name: 'gamma' }).count()).toBe(0);
    await section('Inactive').getByRole('button', { name: 'Inactive' }).click();
    await section('Inactive').getByRole('link', { name: 'gamma' }).waitFor();
    const owner = await userOf(node, 'owner');
    await owner.post('/messages', { type: 'stream', to: 'gamma', topic: 'again', content: 'hello' });
    await section('Streams').getByRole('link', { name: 'gamma' }).waitFor();
    await section('Inactive').waitFor({ state: 'detached' });
  });
});
