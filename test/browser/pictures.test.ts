import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../support/browser/browser';
import { userOf, type TestUser } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { openOtherServer, OTHER_SERVER, type OtherServer } from '../support/servers/other-server';
import { rectangle } from '../support/pictures';
import { until } from '../support/until';
import { startWorkers } from '../support/kernel/workers';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('Pictures of other servers in the chat', () => {
  let cluster: Cluster;
  let node: TestNode;
  let other: OtherServer;
  let browser: TestBrowser;
  let page: TestPage;
  let owner: TestUser;
  /** Every request of the browser, to any server. */
  const asked: URL[] = [];

  beforeAll(async () => {
    other = await openOtherServer();
    // The default avatar service is unreachable, as on a server without internet access.
    const hosts = `${OTHER_SERVER['OUTBOUND_HOSTS']},secure.gravatar.com=10.0.0.1`;
    cluster = await openCluster({ ...OTHER_SERVER, OUTBOUND_HOSTS: hosts, RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    await startWorkers(cluster, 'chat-previews');
    owner = await userOf(node, 'owner');
    await owner.patch('/realm', { inline_url_embed_preview: true });
    const bytes = await rectangle(60, 40).png().toBuffer();
    for (const path of ['/new.png', '/embedded.png'])
      other.at(path, (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(bytes));
    other.at('/page', (response) => {
      const head = '<meta property="og:title" content="A page"><meta property="og:image" content="/embedded.png">';
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><head>${head}</head></html>`);
    });
    browser = await openBrowser();
    page = await browser.page();
    page.on('request', (request) => asked.push(new URL(request.url())));
    await signInAs(page, node.url, 'Max Member');
    await page.goto(`${node.url}/stream/1/topic/pictures`);
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
    await other.close();
  });

  const send = async (content: string): Promise<number> =>
    (await owner.post('/messages', { type: 'stream', to: 'general', topic: 'pictures', content })).body.id;
  const imageAt = (url: string) => page.locator(`.message_inline_image a[href="${url}"] img`).last();
  const isShown = (url: string) =>
    until(() => imageAt(url).evaluate((image) => (image as HTMLImageElement).naturalWidth === 60));

  test('A picture of another server is shown', async () => {
    await send(other.url('/new.png'));
    await isShown(other.url('/new.png'));
  });

  test('The picture of a linked page is shown', async () => {
    await send(other.url('/page'));
    await page.getByRole('link', { name: 'A page' }).waitFor();
    await until(() => asked.some(({ pathname }) => pathname.endsWith(Buffer.from('/embedded.png').toString('hex'))));
    const image = page.locator('.message_embed_image');
    expect(await image.evaluate((link) => getComputedStyle(link).backgroundImage)).toContain('/external_content/');
  });

  test('A picture that this server cannot fetch leaves its link', async () => {
    const url = 'http://inside.example/closed.png';
    await send(url);
    await send('!avatar(nobody@example.org)');
    const link = page.getByRole('link', { name: url });
    await link.waitFor();
    await until(() => imageAt(url).evaluate((image) => (image as HTMLImageElement).complete));
    expect(await link.getAttribute('href')).toBe(url);
    expect((await link.boundingBox())!.width).toBeGreaterThan(100);
    await page.getByAltText('nobody@example.org').waitFor();
  });

  test('The browser sends requests to this server only, and the other server gets them only from this one', () => {
    expect(new Set(asked.map(({ host }) => host))).toEqual(new Set([new URL(node.url).host]));
    const agents = new Set(other.received.map(({ headers }) => headers['user-agent']));
    expect(agents).toEqual(new Set(['Partyline picture proxy', 'Partyline link preview']));
    expect(page.troubles).toEqual([]);
  });

  test('Initials stand for the picture of a person that cannot be fetched', async () => {
    await page.goto(`${node.url}/all`);
    const panel = page.getByRole('complementary', { name: 'People' });
    const bot = panel.locator('[data-initials="NB"]').first();
    await bot.waitFor();
    await until(() => bot.evaluate((each) => each.querySelector('img')!.hidden));
    expect(await bot.evaluate((each) => getComputedStyle(each, '::before').content)).toBe('"NB"');
  });
});
