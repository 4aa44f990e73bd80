import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../support/browser';
import { userOf } from '../support/chat';
import { openCluster, type Cluster, type TestNode } from '../support/cluster';

const inBrowser = hasBrowser ? describe : describe.skip;

const LONG = '/stream/1/topic/long';

inBrowser('The views of the chat', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let send: (topic: string, content: string) => Promise<unknown>;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
    const owner = await userOf(node, 'owner');
    send = (topic, content) => owner.post('/messages', { type: 'stream', to: 'general', topic, content });
    for (let at = 0; at < 45; at += 1) await send('long', `long ${at}`);
    page = await browser.page();
    await signInAs(page, node.url, 'Max Member');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const message = (text: string) => page.getByRole('article').filter({ has: page.getByText(text, { exact: true }) });

  test('A page asks once for what its first view needs, and then follows it', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(node.url + LONG);
    await message('long 0').waitFor();
    const once = ['/web/session', '/api/v1/register', '/api/v1/messages'];
    expect(asked.filter((path) => once.includes(path)).sort()).toEqual(once.toSorted());
    await send('long', 'long 45');
    await page.keyboard.press('End');
    await message('long 45').waitFor();
    expect(page.troubles).toEqual([]);
  });
});
