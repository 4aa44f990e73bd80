import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { fillChat, openPath } from '../../support/browser/chat-places';
import { loadConversation, OPENED } from '../../support/browser/opens-above';
import { smallTargets, TELEPHONES, wideness } from '../../support/browser/targets';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('The chat on a telephone', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let paths: readonly string[];

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    paths = await fillChat(node);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const look = async (page: TestPage): Promise<string[]> => [...(await smallTargets(page)), ...(await wideness(page))];

  describe.each(Object.entries(TELEPHONES))('%s', (_name, viewport) => {
    let page: TestPage;
    beforeAll(async () => {
      page = await browser.page({ viewport, hasTouch: true, isMobile: true, reducedMotion: 'reduce' });
      await page.goto(node.url);
      await page.getByRole('button', { name: 'Olive Owner' }).waitFor();
    });
    afterAll(() => page.context().close());

    test('Everything on the sign-in page is large enough for a finger', async () => {
      expect(await look(page)).toEqual([]);
    });

    test('Everything on each page is large enough for a finger, and nothing is wider than the screen', async () => {
      await signInAs(page, node.url, 'Olive Owner');
      const found: string[] = [];
      for (const path of paths) {
        await openPath(page, path);
        found.push(...(await look(page)));
      }
      expect(found).toEqual([]);
    });

    test('So is everything in menus, dialogs, pickers, notes and the composer', async () => {
      const found: string[] = [];
      for (const [name, open] of Object.entries(OPENED)) {
        await loadConversation(page, node);
        await open(page);
        found.push(...(await look(page)).map((each) => `${name}: ${each}`));
      }
      expect(found).toEqual([]);
      expect(page.troubles).toEqual([]);
    });
  });
});
