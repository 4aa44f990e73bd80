import { COLOURS, axeFindings } from '../support/browser/axe';
import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../support/browser/browser';
import { userOf } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { startWorkers } from '../support/kernel/workers';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

const PHONE = { width: 360, height: 740 };

inBrowser('The Inbox and the recent conversations', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let owner: Awaited<ReturnType<typeof userOf>>;
  let member: Awaited<ReturnType<typeof userOf>>;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    await startWorkers(cluster, 'chat-read-marks');
    browser = await openBrowser();
    [owner, member] = await Promise.all([userOf(node, 'owner'), userOf(node, 'member')]);
    page = await browser.page({ reducedMotion: 'reduce' });
    await signInAs(page, node.url, 'Max Member');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const say = (topic: string, content: string) =>
    owner.post('/messages', { type: 'stream', to: 'general', topic, content });
  const main = () => page.getByRole('main');
  const group = (name: string) => main().getByRole('group', { name });
  const row = (name: string) => main().getByRole('listitem').filter({ hasText: name });
  const isAt = (path: string) => until(() => page.evaluate((to) => location.pathname === to, path));

  const findings = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const [scheme, rules] of Object.entries({ light: undefined, dark: COLOURS })) {
      await page.emulateMedia({ colorScheme: scheme as 'light' | 'dark' });
      await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
      found.push(...(await axeFindings(page, { rules })));
    }
    return found;
  };

  /** The last test of a view: nothing serious at either width, and nothing wider than the screen. */
  const expectAccessible = async (): Promise<void> => {
    expect(await findings()).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await findings()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
    await page.setViewportSize({ width: 1280, height: 800 });
  };

  test('Somebody who has read everything is told so, and led to the recent conversations', async () => {
    await member.post('/mark_all_as_read');
    await main()
      .getByRole('heading', { name: /You have read everything|Welcome to/ })
      .waitFor();
    await main().getByRole('link', { name: 'Recent conversations' }).click();
    await page.getByRole('heading', { name: 'Recent conversations', level: 1 }).waitFor();
    await page.goBack();
  });

  test('The Inbox groups unread conversations by stream and person, and counts them as they arrive', async () => {
    await say('lunch', 'one');
    await say('lunch', 'two @**Max Member**');
    await say('dinner', 'three');
    await owner.post('/messages', { type: 'private', to: [member.id], content: 'four' });
    await group('general').getByRole('link', { name: 'dinner' }).waitFor();
    await row('lunch').getByRole('img', { name: '2 unread' }).waitFor();
    await row('lunch').getByText('mentioned').waitFor();
    await group('Private messages').getByRole('link', { name: 'Olive Owner' }).waitFor();
    await until(async () => (await page.title()).startsWith('(4) Inbox'));
    const icon = await page.locator('link[rel=icon]').getAttribute('href');
    expect(decodeURIComponent(icon!)).toContain('>4</text>');
    await expectAccessible();
  });

  test('The first paint of the Inbox shows the same rows as React, and is fetched by two requests', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.addInitScript(() => {
      new MutationObserver(() => {
        const painted = document.querySelector('[inert] [data-painted]');
        if (painted) sessionStorage.setItem('painted', (painted as HTMLElement).innerText);
      }).observe(document, { childList: true, subtree: true });
    });
    await page.reload();
    await group('general').getByRole('link', { name: 'dinner' }).waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('painted'))).toBe(await main().innerText());
    expect(asked.filter((path) => /\/(session|register|messages)$/.test(path)).toSorted()).toEqual([
      '/api/v1/register',
      '/web/session',
    ]);
    page.removeAllListeners('request');
  });

  test('A folded group stays folded after a reload', async () => {
    await page.getByRole('button', { name: 'Fold general' }).click();
    await row('lunch').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Unfold general' }).click();
    await row('lunch').waitFor();
  });

  test('Keys move between the conversations, Enter opens one, and Escape leads back', async () => {
    for (const key of ['j', 'j', 'ArrowDown', 'k', 'j']) await page.keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('general');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await isAt('/stream/1/topic/dinner');
    await page.getByRole('article').filter({ hasText: 'three' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  });

  test('A conversation and a group are marked as read from the Inbox', async () => {
    await page.getByRole('button', { name: 'Mark lunch as read' }).click();
    await row('lunch').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Mark Private messages as read' }).click();
    await group('Private messages').waitFor({ state: 'detached' });
    await until(async () => {
      await page.reload();
      await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
      return (await row('lunch').count()) + (await group('Private messages').count()) === 0;
    });
  });

  test('Recent conversations show where, who and what is unread, and filters narrow them', async () => {
    await say('supper', 'five');
    await member.post('/messages', { type: 'stream', to: 'general', topic: 'sent', content: 'mine' });
    await page.evaluate(() => history.pushState(null, '', '/recent'));
    await row('supper').getByRole('link', { name: 'general' }).waitFor();
    await row('supper').getByRole('img', { name: '1 unread' }).waitFor();
    await row('supper').getByRole('img', { name: 'Olive Owner' }).waitFor();
    await row('supper').getByText('Olive Owner: five').waitFor();
    await say('breakfast', '/poll Six or seven?');
    await row('breakfast').getByText('Olive Owner: Poll: Six or seven?').waitFor();
    expect(await main().getByRole('listitem').first().innerText()).toContain('breakfast');
    await page.getByRole('button', { name: 'Unread' }).click();
    await row('lunch').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Unread' }).click();
    await page.getByRole('button', { name: 'Participated' }).click();
    await row('supper').waitFor({ state: 'detached' });
    await row('sent').waitFor();
    await page.getByRole('button', { name: 'Participated' }).click();
    const breakfast = { stream_id: 1, topic: 'breakfast' };
    await member.post('/user_topics', { ...breakfast, visibility_policy: 1 });
    await row('breakfast').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Include muted' }).click();
    await row('breakfast').waitFor();
    await page.getByRole('button', { name: 'Include muted' }).click();
    await row('breakfast').waitFor({ state: 'detached' });
    await member.post('/user_topics', { ...breakfast, visibility_policy: 0 });
    await row('breakfast').waitFor();
    await page.getByRole('searchbox', { name: 'Filter conversations' }).fill('break');
    await row('supper').waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Filter conversations' }).fill('');
    await expectAccessible();
    expect(page.troubles).toEqual([]);
  });
});
