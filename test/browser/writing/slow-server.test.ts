import { hasBrowser, openBrowser, say, signInAs, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { startMainNode, type MainNode } from '../../support/processes/main-node';
import { killAll } from '../../support/processes/processes';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('Sending to a server that stands still', () => {
  let cluster: Cluster;
  /** A separate process. */
  let node: MainNode;
  let browser: TestBrowser;
  let page: TestPage;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await startMainNode(cluster.environment);
    browser = await openBrowser();
    page = await browser.page();
    await signInAs(page, node.url, 'Max Member');
  });
  afterAll(async () => {
    node.kill('SIGCONT');
    await browser.close();
    await killAll();
    await cluster.close();
  });

  test('The message and the banner say that the server takes long, until it answers', async () => {
    await page.goto(`${node.url}/stream/1/topic/patience`);
    await say(page, 'is anybody there');
    await page.getByRole('article').filter({ hasText: 'is anybody there' }).waitFor();
    node.kill('SIGSTOP');
    await say(page, 'hello again');
    const note = page.getByRole('main').getByRole('status').filter({ hasText: 'Waiting for the server…' });
    const banner = page.getByText('The server takes long to answer.');
    await note.waitFor();
    await banner.waitFor();
    node.kill('SIGCONT');
    await page.getByRole('article').filter({ hasText: 'hello again' }).waitFor();
    await note.waitFor({ state: 'detached' });
    await banner.waitFor({ state: 'detached' });
    expect(page.troubles).toEqual([]);
  });
});
