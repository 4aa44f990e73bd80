import { axeFindings } from '../../support/browser/axe';
import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { fillChat, openPath } from '../../support/browser/chat-places';
import { loadConversation, OPENED } from '../../support/browser/opens-above';
import { userOf } from '../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('What axe finds in the chat', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let paths: readonly string[];

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    paths = await fillChat(node);
    browser = await openBrowser();
    page = await browser.page({ reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const SCHEMES = ['light', 'dark'] as const;
  async function setScheme(colorScheme: (typeof SCHEMES)[number]): Promise<void> {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  }
  async function inBoth(name: string): Promise<string[]> {
    const found: string[] = [];
    for (const scheme of SCHEMES) {
      await setScheme(scheme);
      const hasMenu = (await page.getByRole('menu').count()) > 0;
      found.push(...(await axeFindings(page, { hasMenu })).map((each) => `${name}, ${scheme}: ${each}`));
    }
    return found;
  }

  test('Nothing on the sign-in page, in light and dark mode', async () => {
    await page.goto(node.url);
    await page.getByRole('button', { name: 'Olive Owner' }).waitFor();
    expect(await inBoth('sign-in')).toEqual([]);
  });

  test('Nothing on any page, in light and dark mode', async () => {
    await signInAs(page, node.url, 'Olive Owner');
    const found: string[] = [];
    for (const scheme of SCHEMES) {
      await setScheme(scheme);
      for (const path of paths) {
        await openPath(page, path);
        found.push(...(await axeFindings(page)).map((each) => `${scheme}: ${each}`));
      }
    }
    expect(found).toEqual([]);
  });

  test('Nothing in menus, dialogs, cards, pickers, notes, the viewer and the composer, in light and dark mode', async () => {
    const found: string[] = [];
    for (const [name, open] of Object.entries(OPENED)) {
      await loadConversation(page, node);
      await open(page);
      found.push(...(await inBoth(name)));
    }
    expect(found).toEqual([]);
    expect(page.troubles).toEqual([]);
  });

  test('Nothing on the pages behind links in mail, in light and dark mode', async () => {
    const owner = await userOf(node, 'owner');
    const { body } = await owner.post('/invites/multiuse', {});
    const join = new URL(body.invite_link as string).pathname;
    const found: string[] = [];
    for (const path of ['/password_reset', '/join/unknown', join]) {
      await page.goto(node.url + path);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        found.push(...(await axeFindings(page)).map((each) => `${colorScheme}: ${each}`));
      }
      const faces = () => page.evaluate(() => [...document.fonts].map(({ family, status }) => `${family} ${status}`));
      await until(async () => (await faces()).some((face) => /^"?Inter"? loaded$/.test(face)));
    }
    expect(found).toEqual([]);
    expect(page.troubles).toEqual([]);
  });
});
