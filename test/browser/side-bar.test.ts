import { axeFindings } from '../support/browser/axe';
import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../support/browser/browser';
import { userOf } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('The side bar, the head of a view and the panel of people', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let owner: Awaited<ReturnType<typeof userOf>>;
  let member: Awaited<ReturnType<typeof userOf>>;
  let ids: Readonly<Record<string, number>>;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
    [owner, member] = await Promise.all([userOf(node, 'owner'), userOf(node, 'member')]);
    const people = { principals: [owner.email, member.email] };
    const names = ['alpha', 'beta', 'gamma'];
    await owner.post('/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })), ...people });
    const { body } = await member.get('/users/me/subscriptions');
    const streams = body.subscriptions as { name: string; stream_id: number }[];
    ids = Object.fromEntries(streams.map((each) => [each.name, each.stream_id]));
    page = await browser.page({ reducedMotion: 'reduce' });
    await signInAs(page, node.url, 'Max Member');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const side = () => page.getByRole('navigation', { name: 'Streams and conversations' });
  const section = (name: string) => side().getByRole('region', { name });
  const set = (name: string, property: string, value: boolean) =>
    member.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: ids[name], property, value }],
    });
  const isAt = (path: string) => until(() => page.evaluate((to) => location.pathname === to, path));
  const go = (path: string) => page.evaluate((to) => history.pushState(null, '', to), path);

  test('Pinned streams come first, muted ones last and folded', async () => {
    await Promise.all([set('gamma', 'pin_to_top', true), set('alpha', 'is_muted', true)]);
    await section('Pinned').getByRole('link', { name: 'gamma' }).waitFor();
    await section('Streams').getByRole('link', { name: 'beta' }).waitFor();
    await section('Muted').waitFor();
    expect(await side().getByRole('link', { name: 'alpha' }).count()).toBe(0);
    await section('Muted').getByRole('button', { name: 'Muted' }).click();
    await section('Muted').getByRole('link', { name: 'alpha' }).waitFor();
    await section('Streams').getByRole('button', { name: 'Streams' }).click();
    await section('Streams').getByRole('link', { name: 'beta' }).waitFor({ state: 'detached' });
    await page.reload();
    await section('Muted').getByRole('link', { name: 'alpha' }).waitFor();
    expect(await section('Streams').getByRole('link', { name: 'beta' }).count()).toBe(0);
    await section('Streams').getByRole('button', { name: 'Streams' }).click();
  });

  test('Enter in the filter opens the first match, also of people without a conversation', async () => {
    await page.keyboard.press('q');
    await page.keyboard.type('bet');
    await page.keyboard.press('Enter');
    await isAt(`/stream/${ids['beta']}`);
    const filter = page.getByRole('searchbox', { name: 'Filter streams and people' });
    expect(await filter.inputValue()).toBe('');
    await filter.fill('Gus');
    await section('Private messages').getByRole('link', { name: 'Gus Guest' }).waitFor();
    await filter.press('Enter');
    await until(() => page.evaluate(() => /^\/private\/\d+$/.test(location.pathname)));
  });

  test('Unread streams are bold with a quiet count, and only mentions and private messages are loud', async () => {
    await owner.post('/messages', { type: 'stream', to: 'beta', topic: 'plain', content: 'one' });
    await owner.post('/messages', { type: 'stream', to: 'gamma', topic: 'loud', content: '@**Max Member**' });
    const look = (name: string) =>
      side()
        .getByRole('link', { name: new RegExp(`^${name}`) })
        .evaluate((link) => ({
          weight: getComputedStyle(link.children[1]!).fontWeight,
          isQuiet: link.querySelector('[role=img]')?.hasAttribute('data-quiet'),
        }));
    await until(
      () => look('beta'),
      (seen) => seen.weight === '600' && seen.isQuiet === true,
    );
    await until(
      () => look('gamma'),
      (seen) => seen.weight === '600' && seen.isQuiet === false,
    );
  });

  test('The panel lists the members of the stream, can be closed, and is a drawer on a phone', async () => {
    await go(`/stream/${ids['beta']}`);
    const panel = page.getByRole('complementary', { name: 'People' });
    await panel.getByRole('heading', { name: 'Members (2)' }).waitFor();
    expect(await panel.getByRole('button', { name: 'Gus Guest' }).count()).toBe(0);
    await member.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'beta' }],
      principals: ['guest@example.com'],
    });
    await panel.getByRole('button', { name: 'Gus Guest' }).waitFor();
    await page.getByRole('button', { name: 'People 3' }).click();
    await panel.waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: 'People 3' }).click();
    await panel.getByRole('button', { name: 'Gus Guest' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('title'))).toBe('Members (3)');
  });

  test('The side bar of a phone takes the focus while it slides in, and Escape closes it and nothing else', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const before = page.url();
    await page.getByRole('button', { name: 'Open the side bar' }).click();
    await until(() => side().evaluate((bar) => bar.contains(document.activeElement)));
    await page.keyboard.press('Escape');
    await until(async () => !(await side().isVisible()));
    expect(page.url()).toBe(before);
    await page.emulateMedia({ reducedMotion: 'reduce' });
  });

  test('Everything in the side bar of a phone is large enough for a finger', async () => {
    await page.getByRole('button', { name: 'Open the side bar' }).click();
    await side().getByRole('link', { name: 'plain' }).waitFor();
    const small = await side().evaluate((bar) =>
      [...bar.querySelectorAll('a, button, input')]
        .map((each) => ({
          name: each.textContent || each.getAttribute('aria-label'),
          box: each.getBoundingClientRect(),
        }))
        .filter(({ box }) => box.height > 0 && (box.height < 44 || box.width < 44))
        .map(({ name, box }) => `${name} ${box.width}×${box.height}`),
    );
    expect(small).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('Settings have a title with place and unread count; members are not shown the console of operators', async () => {
    await go('/settings/profile');
    await until(async () => /^\(\d+\) Profile · Settings · /.test(await page.title()));
    await page.getByRole('button', { name: /Max Member/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    expect(await page.locator('a[href^="/ops"]').count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  test('A stream that does not exist has a page that leads elsewhere', async () => {
    await go('/stream/999');
    await page.getByRole('heading', { name: 'Unknown stream', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Find streams' }).click();
    await page.getByRole('heading', { name: 'All streams', level: 1 }).waitFor();
    await go('/streams/999');
    await page.getByRole('heading', { name: 'Unknown stream' }).waitFor();
  });

  test('A new stream has the people that its creator added, and leads into it', async () => {
    await page.getByRole('link', { name: 'New stream' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('delta');
    await page.getByRole('combobox', { name: 'People to add' }).fill('Olive');
    await page.getByRole('option', { name: /Olive Owner/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'People to add' }).fill('Ola');
    await page.getByRole('option', { name: /Ola Other/ }).click();
    // No list is in the way.
    await page.getByRole('button', { name: 'Create the stream' }).click();
    await page.getByRole('heading', { name: 'delta', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'People 3' }).waitFor();
    expect(page.troubles).toEqual([]);
  });

  test('Nothing of an open drawer darkens paper', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: 'Open the side bar' }).click();
    const veil = page.locator('nav + button[aria-label="Close"]');
    await veil.waitFor();
    await page.emulateMedia({ media: 'print' });
    await veil.waitFor({ state: 'hidden' });
    await page.emulateMedia({ media: null });
    await veil.waitFor();
  });
});
