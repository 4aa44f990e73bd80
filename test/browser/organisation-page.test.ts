import { axeFindings } from '../support/browser/axe';
import {
  hasBrowser,
  messageBox,
  openBrowser,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../support/browser/browser';
import { userOf } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { rectangle } from '../support/pictures';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('The page of the organisation', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
    page = await browser.page();
    await signInAs(page, node.url, 'Olive Owner');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const go = (path: string) => page.evaluate((to) => history.pushState(null, '', to), path);
  const main = () => page.getByRole('main');

  test('The organisation’s picture is in the side bar and on the sign-in page, until it is removed', async () => {
    const uploaded = 'img[src^="/user_avatars/"]';
    await go('/settings/organisation');
    const button = main().getByRole('button', { name: 'Choose a picture' });
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()]);
    await chooser.setFiles({
      name: 'mark.png',
      mimeType: 'image/png',
      buffer: await rectangle(64, 64).png().toBuffer(),
    });
    const side = page.getByRole('navigation', { name: 'Streams and conversations' });
    await main().locator(uploaded).waitFor();
    await side.locator(uploaded).waitFor();
    const stranger = await browser.page();
    await stranger.goto(node.url);
    await stranger.getByRole('heading', { name: 'Example Organization' }).waitFor();
    expect(await stranger.locator(uploaded).count()).toBe(1);
    await stranger.goto(`${node.url}/password_reset`);
    expect(
      await stranger.locator(uploaded).evaluate((image) => (image as HTMLImageElement).naturalWidth),
    ).toBeGreaterThan(0);
    await stranger.context().close();
    await main().getByRole('button', { name: 'Remove the picture' }).click();
    await until(async () => (await page.locator(uploaded).count()) === 0);
    const reset = await node.call('/password_reset');
    expect(reset.text).toContain('<img src="/docs/mark.svg"');
    expect((await node.call('/docs/mark.svg')).headers.get('content-type')).toContain('image/svg+xml');
    expect(await axeFindings(page)).toEqual([]);
  });

  test('An administrator chooses where video calls are held, and the button in the composer links there', async () => {
    await go('/settings/organisation');
    await main().getByRole('textbox', { name: 'Address of the Jitsi server' }).fill('https://meet.example.org/');
    await main().getByRole('button', { name: 'Save' }).nth(1).click();
    const owner = await userOf(node, 'owner');
    const setting = async (name: string) =>
      (await owner.post('/register', { fetch_event_types: ['realm'] })).body[`realm_${name}`];
    await until(async () => (await setting('jitsi_server_url')) === 'https://meet.example.org/');
    await go('/stream/1/topic/calls');
    await page.getByRole('button', { name: 'Formatting' }).click();
    await page.getByRole('button', { name: 'Video call' }).click();
    await until(
      () => messageBox(page).inputValue(),
      (text) => /\[Join the video call\]\(https:\/\/meet\.example\.org\/[\w-]{16,}\)/.test(text),
    );
    await go('/settings/organisation');
    await main().getByRole('combobox', { name: 'Service for calls' }).click();
    await page.getByRole('option', { name: 'No video calls' }).click();
    await until(async () => (await setting('video_chat_provider')) === 0);
    await go('/stream/1/topic/calls');
    await page.getByRole('button', { name: 'Bold' }).waitFor();
    expect(await page.getByRole('button', { name: 'Video call' }).count()).toBe(0);
    expect(page.troubles).toEqual([]);
  });

  test('An owner makes somebody a moderator, who may write where moderators may, and others are told that they may not', async () => {
    const owner = await userOf(node, 'owner');
    const { stream_id: id } = (await owner.get('/get_stream_id', { stream: 'general' })).body;
    const other = await browser.page();
    const member = await browser.page();
    await signInAs(other, node.url, 'Ola Other');
    await signInAs(member, node.url, 'Max Member');
    for (const each of [other, member]) await each.goto(`${node.url}/stream/${id}`);
    await owner.patch(`/streams/${id}`, { stream_post_policy: 4 });
    const reason = 'Only moderators and administrators can write to #general.';
    for (const each of [other, member]) await each.getByText(reason).waitFor();
    await go('/settings/people');
    await page.getByRole('combobox', { name: 'Role of Max Member' }).click();
    await page.getByRole('option', { name: 'Moderator' }).click();
    await messageBox(member).waitFor();
    // Also where the page begins with it.
    await other.reload();
    await other.getByText(reason).waitFor();
    await member.reload();
    await messageBox(member).waitFor();
    await member.getByRole('button', { name: /^People/ }).waitFor();
    await member
      .getByRole('complementary', { name: 'People' })
      .getByRole('button', { name: /Max Member/ })
      .click();
    await member.getByRole('dialog', { name: 'About Max Member' }).getByText('Moderator').waitFor();
    expect(await page.getByRole('combobox', { name: 'Role of Olive Owner' }).isDisabled()).toBe(true);
    await owner.patch(`/streams/${id}`, { stream_post_policy: 1 });
    await messageBox(other).waitFor();
    for (const each of [other, member]) expect(each.troubles).toEqual([]);
    await Promise.all([other.context().close(), member.context().close()]);
  });
});
