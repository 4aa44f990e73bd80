// Each page opens and does its first action. test/browser/ has the rest.
import { hasBrowser, openBrowser, say, signInAs, type TestBrowser, type TestPage } from '../support/browser/browser';
import { userOf } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';

(hasBrowser ? describe : describe.skip)('Pages in a browser', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
  });
  beforeEach(async () => void (page = await browser.page()));
  afterEach(() => expect(page.troubles).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  test('The chat shows a message that a user writes, and the reply of another user', async () => {
    await signInAs(page, node.url, 'Max Member');
    await page.goto(`${node.url}/stream/1/topic/smoke`);
    await say(page, 'Is anybody there?');
    await page.getByRole('article').filter({ hasText: 'Is anybody there?' }).waitFor();
    const owner = await userOf(node, 'owner');
    await owner.post('/messages', { type: 'stream', to: [1], topic: 'smoke', content: 'Yes, **here**' });
    await page.getByRole('article').filter({ hasText: 'Yes, here' }).waitFor();
  });

  test('The portal shows the extensions of a company', async () => {
    await page.goto(`${node.url}/portal/extensions`);
    await page.getByRole('button', { name: 'Olive Owner' }).click();
    await page.getByRole('heading', { level: 1, name: 'Extensions' }).waitFor();
  });

  test('The console asks operators to sign in', async () => {
    await page.goto(`${node.url}/ops`);
    await page.getByRole('button', { name: 'Sign in' }).first().waitFor();
  });
});
