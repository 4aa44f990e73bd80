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
    const named = { name: entry, exact: true };
    await page.getByRole('menuitem', named).or(page.getByRole('menuitemradio', named)).click();
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

  test('A topic of a muted stream is seen again by its menu, its bar and by key, and muted by each', async () => {
    const setMuted = (value: boolean) =>
      member.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: general, property: 'is_muted', value }],
      });
    await setMuted(true);
    await send('noise', 'drums');
    await page.goto(`${node.url}/stream/${general}`);
    await row('noise').waitFor();
    const policy = async () => (await policies()).find((each) => each.topic_name === 'noise')?.visibility_policy;
    const bar = page.getByRole('main').locator('[data-bar]').filter({ hasText: 'noise' });
    const ways = {
      menu: (name: string) => choose('noise', name),
      bar: async (name: string) => {
        await bar.hover();
        await bar.getByRole('button', { name }).click();
      },
      key: async () => {
        await until(async () => {
          await page.keyboard.press('j');
          return page.evaluate(() => document.activeElement?.textContent?.includes('drums'));
        });
        await page.keyboard.press('M');
      },
    };
    const lookAtBar = async (): Promise<void> => {
      await page.mouse.move(0, 0);
      await bar.hover();
    };
    await lookAtBar();
    for (const [name, way] of Object.entries(ways)) {
      await bar.getByRole('button', { name: 'Unmute the topic' }).waitFor();
      await way('Unmute the topic');
      await until(
        async () => [name, await policy()],
        ([, now]) => now === 2,
      );
      await lookAtBar();
      await bar.getByRole('button', { name: 'Mute the topic', exact: true }).waitFor();
      await way('Mute the topic');
      await until(
        async () => [name, await policy()],
        ([, now]) => now === 1,
      );
      await lookAtBar();
    }
    await setMuted(false);
    await member.post('/user_topics', { stream_id: general, topic: 'noise', visibility_policy: 0 });
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
    await page.getByRole('article').getByText('has marked this topic as resolved.').waitFor();
    await row('✔ Printer').waitFor();
    await page.getByText('on fire', { exact: true }).waitFor();
  });

  test('A resolved topic is opened again', async () => {
    await choose('✔ Printer', 'Mark as unresolved');
    await page.waitForURL(`${node.url}/stream/${general}/topic/Printer`);
    await page.getByText('has marked this topic as unresolved.').waitFor();
    await row('✔ Printer').waitFor({ state: 'detached' });
  });

  test('A topic is renamed with its reader, and its link is copied', async () => {
    await send('Diner', 'pasta');
    await show('Diner', 'pasta');
    await choose('Diner', 'Rename the topic');
    const dialog = page.getByRole('dialog', { name: 'Rename the topic' });
    const field = dialog.getByRole('textbox', { name: 'Topic' });
    await field.fill('Dinner');
    await field.press('Enter');
    await page.waitForURL(`${node.url}/stream/${general}/topic/Dinner`);
    await page.getByRole('main').getByText('pasta', { exact: true }).waitFor();
    await row('Diner').waitFor({ state: 'detached' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await choose('Dinner', 'Copy a link to the topic');
    await page.getByText('The link was copied.').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(`${node.url}/stream/${general}/topic/Dinner`);
  });

  test('One message moves to another topic and stream, and the others stay', async () => {
    await send('cakes', 'apple');
    await send('cakes', 'hammer');
    await show('cakes', 'hammer');
    const message = page.getByRole('article').filter({ hasText: 'hammer' });
    await message.hover();
    await message.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Move to another topic' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move to another topic' });
    await dialog.getByRole('textbox', { name: 'Topic' }).fill('tools');
    await dialog.getByRole('combobox', { name: 'What to move' }).click();
    await page.getByRole('option', { name: 'Only this message' }).click();
    await dialog.getByRole('combobox', { name: 'Stream' }).click();
    await page.getByRole('option', { name: 'test', exact: true }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await message.waitFor({ state: 'detached' });
    await page.getByRole('main').getByText('apple', { exact: true }).waitFor();
    const narrow = [
      { operator: 'stream', operand: 'test' },
      { operator: 'topic', operand: 'tools' },
    ];
    const query = { anchor: 0, num_before: 0, num_after: 10, apply_markdown: false, narrow: JSON.stringify(narrow) };
    const { messages } = (await owner.get('/messages', query)).body as { messages: { content: string }[] };
    expect(messages.map(({ content }) => content)).toContain('hammer');
  });

  test('An administrator deletes a topic, and its reader is led to the stream', async () => {
    await send('rubbish', 'paper');
    await send('rubbish', 'tin');
    await show('rubbish', 'tin');
    await row('rubbish').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Rename the topic' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Delete the topic' }).count()).toBe(0);
    const boss = await browser.page();
    await signInAs(boss, node.url, 'Olive Owner');
    await boss.goto(`${node.url}/stream/${general}/topic/rubbish`);
    await boss.getByRole('button', { name: 'Menu of the topic rubbish' }).press('Enter');
    await boss.getByRole('menuitem', { name: 'Delete the topic' }).click();
    await boss.getByRole('dialog').getByRole('button', { name: 'Delete the topic' }).click();
    await boss.waitForURL(`${node.url}/stream/${general}`);
    await page.keyboard.press('Escape');
    for (const text of ['paper', 'tin']) {
      await page.getByRole('main').getByText(text, { exact: true }).waitFor({ state: 'detached' });
    }
    await page.goBack();
    await row('rubbish').waitFor({ state: 'detached' });
    expect(boss.troubles).toEqual([]);
    await boss.context().close();
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

  test('One message moves to a stream that one is not subscribed to, and streams where one may not write are not offered', async () => {
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'workshop' }] });
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'cellar' }], invite_only: true });
    await send('tools', 'hammer');
    await send('tools', 'nails');
    await show('tools', 'nails');
    const message = page.getByRole('article').filter({ hasText: 'hammer' });
    await message.hover();
    await message.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Move to another topic' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move to another topic' });
    await dialog.getByRole('combobox', { name: 'What to move' }).click();
    await page.getByRole('option', { name: 'Only this message' }).click();
    await dialog.getByRole('combobox', { name: 'Stream' }).click();
    const offered = await page.getByRole('option').allTextContents();
    expect(offered).toEqual(expect.arrayContaining(['general', 'test', 'workshop']));
    expect(offered.filter((name) => ['announcements', 'cellar'].includes(name))).toEqual([]);
    await page.getByRole('option', { name: 'workshop' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('main').getByText('hammer', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('main').getByText('nails', { exact: true }).waitFor();
    const { body } = await owner.get('/messages', {
      narrow: [['stream', 'workshop']],
      anchor: '10000000000000000',
      num_before: 10,
      num_after: 0,
    });
    const contents = body.messages.map(({ content }: { content: string }) => content);
    expect(contents).toContain('<p>hammer</p>');
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
