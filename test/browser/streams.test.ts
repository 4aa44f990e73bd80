import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../support/browser/browser';
import { userOf, type TestUser } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

interface Own {
  readonly stream_id: number;
  readonly color: string;
  readonly is_muted: boolean;
  readonly pin_to_top: boolean;
  readonly desktop_notifications: boolean;
  readonly audible_notifications: boolean;
  readonly wildcard_mentions_notify: boolean;
}

inBrowser('The pages of streams, and archived streams', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let owner: TestUser;
  let id: number;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    owner = await userOf(node, 'owner');
    const member = await userOf(node, 'member');
    const principals = [owner.email, member.email];
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'harbour' }], principals });
    id = (await owner.get('/get_stream_id', { stream: 'harbour' })).body.stream_id;
    await owner.post('/messages', { type: 'stream', to: 'harbour', topic: 'ships', content: 'all aboard' });
    browser = await openBrowser();
    page = await browser.page();
    await signInAs(page, node.url, 'Olive Owner');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const text = (of: TestPage) => of.getByRole('main').getByText('all aboard', { exact: true });
  const row = (of: TestPage) => of.getByRole('navigation').getByRole('link', { name: 'harbour' });
  const composer = (of: TestPage) => of.getByRole('region', { name: 'Write a message' });
  const isArchived = 'This stream is archived. It can be read, but not changed.';

  test('The page of a stream has one’s own switches and colour, which count at once', async () => {
    await page.goto(`${node.url}/streams/${id}`);
    const own = async () => {
      const { subscriptions } = (await owner.get('/users/me/subscriptions')).body as { subscriptions: Own[] };
      return subscriptions.find(({ stream_id }) => stream_id === id)!;
    };
    const names = {
      is_muted: 'Mute the stream',
      pin_to_top: 'Pin to the top',
      desktop_notifications: 'Notify me of every message',
      audible_notifications: 'Play a sound for every message',
      wildcard_mentions_notify: 'Notify me when everyone is mentioned',
    } as const;
    for (const [property, name] of Object.entries(names)) {
      const before = (await own())[property as keyof typeof names];
      await page.getByRole('switch', { name, exact: true }).press('Space');
      await until(async () => (await own())[property as keyof typeof names] !== before);
    }
    const side = page.getByRole('navigation', { name: 'Streams and conversations' });
    await side.getByRole('region', { name: 'Pinned' }).getByRole('link', { name: 'harbour' }).waitFor();
    await page.getByRole('switch', { name: 'Mute the stream' }).press('Space');
    await page.getByLabel('Colour').fill('#123456');
    await until(async () => (await own()).color === '#123456');
  });

  test('The page of a stream says who may do what, and its rules are changed there', async () => {
    const rules = page.getByRole('main').getByRole('listitem');
    await rules.getByText('Everybody in the organisation finds and reads it', { exact: false }).waitFor();
    await rules.getByText('Everybody who reads it may write.').waitFor();
    const mayWrite = async (rule: string): Promise<void> => {
      await page.getByRole('combobox', { name: 'Who may write' }).click();
      await page.getByRole('option', { name: rule }).click();
      await rules.getByText(rule).waitFor();
    };
    for (const rule of ['Moderators and administrators may write.', 'Only administrators may write.'])
      await mayWrite(rule);
    await page.getByRole('switch', { name: 'Private: only members see it' }).press('Space');
    await rules.getByText('Only its members know of it.').waitFor();
    await page.getByRole('switch', { name: 'New members see all messages' }).waitFor();
    await page.getByRole('switch', { name: 'Private: only members see it' }).press('Space');
    await mayWrite('Everybody who reads it may write.');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('port');
    await name.press('Enter');
    await page.getByRole('heading', { name: 'port', exact: true }).waitFor();
    await name.fill('harbour');
    // The event may be here before the answer, until which nothing else can be saved.
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'harbour', exact: true }).waitFor();
  });

  test('An administrator removes a member of a stream and adds them again', async () => {
    const remove = page.getByRole('button', { name: 'Remove Max Member' });
    await remove.click();
    await remove.waitFor({ state: 'detached' });
    const members = async () => (await owner.get(`/streams/${id}/members`)).body.subscribers as string[];
    expect(await members()).toEqual([owner.email]);
    await page.getByRole('combobox', { name: 'People to add' }).fill('Max');
    await page.getByRole('option', { name: /Max Member/ }).click();
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await remove.waitFor();
    expect((await members()).length).toBe(2);
  });

  test('An administrator archives a stream from its menu, and everybody reads it with a bar instead of the composer', async () => {
    const reader = await browser.page();
    await signInAs(reader, node.url, 'Max Member');
    await reader.goto(`${node.url}/stream/${id}`);
    await text(reader).waitFor();
    await page.goto(`${node.url}/stream/${id}`);
    await row(page).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Archive the stream' }).click();
    const dialog = page.getByRole('dialog', { name: 'Archive #harbour' });
    await dialog.getByRole('button', { name: 'Archive the stream' }).click();
    for (const each of [page, reader]) {
      await each.getByRole('status').getByText(isArchived).waitFor();
      await row(each).waitFor({ state: 'detached' });
      await composer(each).waitFor({ state: 'detached' });
      await text(each).waitFor();
    }
    expect(await reader.getByRole('button', { name: 'Unarchive the stream' }).count()).toBe(0);
    await reader.getByRole('article').last().hover();
    await reader.getByRole('button', { name: 'Star' }).last().waitFor();
    expect(await reader.getByRole('button', { name: 'React' }).count()).toBe(0);
    await reader.context().close();
  });

  test('An archived stream is found among all streams, and its name cannot be given again', async () => {
    await page.goto(`${node.url}/streams`);
    await page.getByText('general').last().waitFor();
    expect(await page.getByRole('main').getByRole('link', { name: 'harbour' }).count()).toBe(0);
    await page.getByRole('main').getByRole('button', { name: 'Archived' }).click();
    await page.getByRole('main').getByRole('link', { name: 'harbour' }).click();
    await page.getByRole('note').getByText(isArchived).waitFor();
    await page.goto(`${node.url}/streams/new`);
    await page.getByLabel('Name', { exact: true }).fill('Harbour');
    await page.getByText('An archived stream has this name.').waitFor();
    expect(await page.getByRole('button', { name: 'Create the stream' }).isDisabled()).toBe(true);
  });

  test('An administrator unarchives a stream where they read it, and can write to it again', async () => {
    await page.goto(`${node.url}/stream/${id}`);
    await page.getByRole('button', { name: 'Unarchive the stream' }).click();
    await row(page).waitFor();
    await composer(page).waitFor();
    const form = { type: 'stream', to: 'harbour', topic: 'ships', content: 'sailing again' };
    expect((await owner.post('/messages', form)).status).toBe(200);
    await page.getByRole('main').getByText('sailing again', { exact: true }).waitFor();
    expect(page.troubles).toEqual([]);
  });
});
