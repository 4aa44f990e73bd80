import { axeFindings } from '../support/browser/axe';
import {
  hasBrowser,
  messageBox,
  openBrowser,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../support/browser/browser';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';
import { userOf } from '../support/chat/chat';
import { HOSTILE_TEXTS } from '../security/hostile-values';
import { ALIVE } from '../unit/chat/markdown/corpus';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('Accessibility and hostile input of the chat in a browser', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const sideLink = (page: TestPage, stream: string) =>
    page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${stream}`) });

  test('A user signs in, reads and replies with the keyboard only', async () => {
    const page = await browser.page();
    await page.goto(node.url);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('member@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type('demo');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await page.keyboard.press('c');
    await until(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label') === 'Stream'));
    await page.getByRole('button', { name: 'Choose time or key' }).waitFor();
    await page.keyboard.type('test');
    await page.getByRole('option', { name: 'test' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('keys');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Written without a mouse');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').filter({ hasText: 'Written without a mouse' }).waitFor();
    await page.keyboard.press('Escape');
    // No message is selected, so the user's own last message is edited once it has been sent.
    const editBox = page.getByRole('textbox', { name: 'Edit the message' });
    await until(async () => (await editBox.isVisible()) || page.keyboard.press('e'));
    await until(async () => (await editBox.inputValue()).startsWith('Written without a mouse'));
    await page.keyboard.press('Escape');
    await editBox.waitFor({ state: 'detached' });
    await page.keyboard.press('k');
    await until(() => page.evaluate(() => document.activeElement?.tagName === 'ARTICLE'));
    await page.keyboard.press('r');
    await page.keyboard.type('And answered');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').filter({ hasText: 'And answered' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Go to a stream/ }).waitFor();
    await page.keyboard.type('starred');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Starred' }).waitFor();
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('A user finds a stream and writes to it on a phone', async () => {
    const page = await browser.page({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    await signInAs(page, node.url, 'Ola Other');
    await page.getByRole('button', { name: 'Open the side bar' }).tap();
    await sideLink(page, 'test').tap();
    await page.locator('#compose-topic').fill('on the road');
    await messageBox(page).fill('Greetings from the train');
    await page.getByRole('button', { name: 'Send' }).tap();
    await page.getByRole('article').filter({ hasText: 'Greetings from the train' }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(360);
    expect(await axeFindings(page)).toEqual([]);
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  const open = async (page: TestPage, path: string): Promise<void> => {
    await page.evaluate((to) => history.pushState(null, '', to), path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await until(async () => (await page.locator('[aria-busy=true]').count()) === 0);
  };
  const linksTo = (page: TestPage, prefix: string): Promise<string[]> =>
    page.locator(`a[href^="${prefix}"]`).evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
  /** Nothing from a text is executed. */
  const expectInert = async (page: TestPage): Promise<void> => {
    const alive =
      'body script:not([src^="/assets/"]), iframe, object, embed, img[src="x"], [onerror], [onload], [onclick]';
    expect(await page.locator(alive).count()).toBe(0);
    expect(page.troubles).toEqual([]);
  };

  test('Hostile names and descriptions are inert on every page', async () => {
    const [owner, member] = await Promise.all([userOf(node, 'owner'), userOf(node, 'member')]);
    const text = '"><img src=x onerror=alert(1)>';
    // Characters that are allowed in a name.
    const name = '<svg onload=alert(1) //';
    const answers = [
      await member.patch('/settings', { full_name: name }),
      await owner.post('/users/me/subscriptions', { subscriptions: [{ name: text, description: text }] }),
      await owner.patch('/realm', { name: text, description: text }),
      await owner.post('/realm/profile_fields', { name: text, hint: text, field_type: 1 }),
      await owner.post('/realm/filters', { pattern: 'hurt-(?P<id>[0-9]+)', url_format_string: 'https://e.com/%(id)s' }),
      await owner.post('/bots', { full_name: `${name} bot`, short_name: 'hostile' }),
      await owner.post('/user_groups/create', { name: text, description: text, members: [owner.id] }),
      await owner.post('/messages', { type: 'private', to: [member.id], content: text }),
      await member.post('/messages', { type: 'stream', to: 'test', topic: text, content: `${text} ${name}` }),
    ];
    expect(answers.map(({ status, body }) => [status, body.msg])).toEqual(answers.map(() => [200, '']));
    const edited = await member.patch(`/messages/${answers.at(-1)!.body.id}`, { content: `${text} edited` });
    expect(edited.status).toBe(200);
    const page = await browser.page();
    await signInAs(page, node.url, 'Olive Owner');
    await open(page, '/settings/profile');
    for (const path of [
      ...new Set(await linksTo(page, '/settings/')),
      '/streams',
      '/private',
      '/settings/constructor',
      `/search/${encodeURIComponent(text)}`,
    ]) {
      await open(page, path);
      await expectInert(page);
    }
    await sideLink(page, 'test').click();
    const hurt = page.getByRole('article').filter({ hasText: 'edited' });
    await hurt.getByRole('button', { name: 'edited' }).click();
    await page.getByRole('dialog', { name: 'Edit history' }).getByText('edited').first().waitFor();
    await expectInert(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await hurt.focus();
    await page.keyboard.press('u');
    await page.getByRole('dialog').getByRole('heading', { name }).waitFor();
    await expectInert(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('img');
    await page.getByRole('option', { name: text }).first().waitFor();
    await expectInert(page);
    await page.context().close();
  });

  test('The hostile corpus is inert wherever text is shown', async () => {
    const api = await userOf(node, 'owner');
    const texts = [...new Set([...ALIVE, ...HOSTILE_TEXTS])].filter((text) => text.trim() !== '' && text.length < 5000);
    for (const [index, text] of texts.entries()) {
      const topic = index % 3 === 0 ? text.slice(0, 60) : 'corpus';
      await api.post('/messages', { type: 'stream', to: 'test', topic, content: text });
    }
    const page = await browser.page();
    await signInAs(page, node.url, 'Olive Owner');
    await sideLink(page, 'test').click();
    await page.getByRole('article').first().waitFor();
    for (let turn = 0; turn < 12; turn += 1) await page.keyboard.press('PageUp');
    await messageBox(page).fill(texts.join('\n\n').slice(0, 9000));
    await page.getByRole('button', { name: 'Formatting' }).click();
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByRole('region', { name: 'Preview' }).waitFor();
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await messageBox(page).fill('');
    await expectInert(page);
    await page.context().close();
  });
});
