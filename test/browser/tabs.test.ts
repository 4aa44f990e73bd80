/** Tabs of the chat in one browser: one of them follows the events for all. */
import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { hasBrowser, openBrowser, signInAs, type TestBrowser } from '../support/browser/browser';
import { userOf, type TestUser } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { chatIn } from '../support/kernel/parts';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

const TOPIC = '/stream/1/topic/tabs';
const MEMBER = 'Max Member';

inBrowser('Tabs of the chat', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let owner: TestUser;
  const troubles: string[] = [];

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    owner = await userOf(node, 'owner');
    browser = await openBrowser();
  });
  afterEach(() => expect(troubles).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const say = (content: string) => owner.post('/messages', { type: 'stream', to: 'general', topic: 'tabs', content });
  const textsOf = (page: Page) => page.getByRole('article').locator('.rich-text').allTextContents();
  const waiting = () => chatIn(node).polls.waiting;

  /** A signed-in browser, and its requests for events that wait for the server, by tab. */
  async function openContext(url = node.url, prepare = (_context: BrowserContext) => Promise.resolve()) {
    const first = await browser.page();
    const context = first.context();
    await prepare(context);
    const open = watchEvents(context);
    await signInAs(first, url, MEMBER);
    await first.goto(url + TOPIC);
    return { first, context, open };
  }

  async function openTab(context: BrowserContext, url = node.url): Promise<Page> {
    const page = await context.newPage();
    page.on('pageerror', (error) => troubles.push(error.stack ?? error.message));
    await page.goto(url + TOPIC);
    await page.getByRole('region', { name: 'Write a message' }).waitFor();
    return page;
  }

  /** Every tab shows these messages last, each once. */
  async function expectEverywhere(pages: readonly Page[], texts: readonly string[]): Promise<void> {
    for (const page of pages) await until(async () => (await textsOf(page)).includes(texts.at(-1)!));
    for (const page of pages) expect((await textsOf(page)).slice(-texts.length)).toEqual(texts);
  }

  test('Ten tabs get every message once over one connection, and pass it on when they are closed', async () => {
    const { first, context, open } = await openContext();
    const others = await Promise.all(Array.from({ length: 9 }, () => openTab(context)));
    let tabs: Page[] = [first, ...others];
    await say('to all tabs');
    await expectEverywhere(tabs, ['to all tabs']);
    await until(() => open().length === 1 && waiting() === 1);
    // The browser still has connections for pages.
    await tabs[5]!.reload();
    await expectEverywhere(tabs, ['to all tabs']);

    for (const round of ['one', 'two']) {
      const leader = await until(() => open()[0]!);
      await say(`${round}: before`);
      await leader.close();
      tabs = tabs.filter((each) => each !== leader);
      await say(`${round}: after`);
      await expectEverywhere(tabs, [`${round}: before`, `${round}: after`]);
      await until(() => open().length === 1 && waiting() === 1);
    }
    expect(tabs).toHaveLength(8);

    // A browser that freezes the leader keeps its lock.
    const frozen = await until(() => open()[0]!);
    const devtools = await context.newCDPSession(frozen);
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
    const awake = tabs.filter((each) => each !== frozen);
    await say('while the leader is frozen');
    await awake[0]!.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expectEverywhere(awake, ['while the leader is frozen']);
    await devtools.send('Page.setWebLifecycleState', { state: 'active' });
    await say('thawed');
    await expectEverywhere(tabs, ['while the leader is frozen', 'thawed']);
    await until(() => open().length === 1 && waiting() === 1);

    // The end of the session reaches all tabs.
    await awake[0]!.evaluate(async () => {
      const { token } = (await (await fetch('/web/session')).json()) as { token: string };
      await fetch('/web/session', { method: 'DELETE', headers: { 'X-Partyline-Token': token } });
    });
    for (const page of tabs) await page.getByLabel('Password', { exact: true }).waitFor();
    await until(() => waiting() === 0);
    await context.close();
  });

  test('A tab of another account gets no event of the first account', async () => {
    const first = await browser.page();
    const tab = await first.context().newPage();
    await Promise.all([first.goto(node.url), tab.goto(`${node.url}/all`)]);
    // This tab still offers to sign in when the other one has.
    await tab.getByRole('button', { name: 'Ola Other' }).waitFor();
    await signInAs(first, node.url, MEMBER);
    await tab.getByRole('button', { name: 'Ola Other' }).click();
    await tab.getByRole('region', { name: 'Write a message' }).waitFor();
    await until(() => waiting() === 2);
    const toMember = { type: 'private', to: JSON.stringify(['member@example.com']), content: 'for the member alone' };
    await owner.post('/messages', toMember);
    await say('for both');
    await until(async () => (await textsOf(tab)).includes('for both'));
    expect(await textsOf(tab)).not.toContain('for the member alone');
    await first.context().close();
  });

  test('A stream that falls silent is replaced, and a tab that does not lead keeps its queue', async () => {
    const { first, context } = await openContext(node.url, (each) => each.clock.install());
    const second = await openTab(context);
    await say('before the silence');
    await expectEverywhere([first, second], ['before the silence']);
    const [begun, touches]: [string[], string[]] = [[], []];
    context.on('request', (request) => {
      if (isForEvents(request)) begun.push(request.url());
    });
    context.on('requestfinished', (request) => {
      if (request.url().includes('dont_block=true')) touches.push(request.url());
    });
    await context.clock.fastForward('01:31');
    await say('after the silence');
    await expectEverywhere([first, second], ['before the silence', 'after the silence']);
    await until(() => begun.length > 0);
    await context.clock.fastForward('04:01');
    await until(() => touches.length > 0);
    await say('much later');
    await expectEverywhere([first, second], ['after the silence', 'much later']);
    await context.close();
  });

  test('A browser without locks follows the events in each tab', async () => {
    const first = await browser.page();
    await first.context().addInitScript(() => void Reflect.deleteProperty(Navigator.prototype, 'locks'));
    await signInAs(first, node.url, MEMBER);
    await first.goto(node.url + TOPIC);
    const second = await openTab(first.context());
    await until(() => waiting() === 2);
    await say('without locks');
    await expectEverywhere([first, second], ['without locks']);
    await first.context().close();
  });

  test('Tabs behind a proxy that buffers responses poll instead, and say nothing about it', async () => {
    const proxy = await openBuffer(node);
    const { first, context, open } = await openContext(proxy.url);
    const second = await openTab(context, proxy.url);
    await until(() => proxy.polls() > 0);
    await say('through a buffer');
    await expectEverywhere([first, second], ['through a buffer']);
    await (await until(() => open()[0]!)).close();
    const left = first.isClosed() ? second : first;
    const streams = proxy.streams();
    await say('and again');
    await expectEverywhere([left], ['through a buffer', 'and again']);
    // The second tab knows from the first.
    expect(proxy.streams()).toBe(streams);
    expect(await left.getByText('The connection is lost.').count()).toBe(0);
    await context.close();
    await proxy.close();
  });
});

/** A stream, or a poll that waits. */
function isForEvents(request: Request): boolean {
  const { pathname, searchParams } = new URL(request.url());
  return pathname === '/api/v1/events' && request.method() === 'GET' && !searchParams.has('dont_block');
}

/** Returns the tabs with a request for events that waits for the server. */
function watchEvents(context: BrowserContext): () => Page[] {
  const open = new Map<Request, Page>();
  context.on('request', (request) => {
    if (!isForEvents(request)) return;
    const page = request.frame().page();
    open.set(request, page);
    page.once('close', () => open.delete(request));
  });
  context.on('requestfinished', (request) => open.delete(request));
  context.on('requestfailed', (request) => open.delete(request));
  return () => [...open.values()];
}

interface BufferingProxy {
  readonly url: string;
  /** How many streams, and how many waiting polls it has seen. */
  readonly streams: () => number;
  readonly polls: () => number;
  close(): Promise<void>;
}

/** A proxy that passes a response on when it is complete. */
async function openBuffer(node: TestNode): Promise<BufferingProxy> {
  let [streams, polls] = [0, 0];
  const server: Server = createServer((incoming, response) => {
    if (incoming.url!.startsWith('/api/v1/events?')) {
      if (incoming.headers.accept?.includes('event-stream')) streams += 1;
      else if (!incoming.url!.includes('dont_block')) polls += 1;
    }
    const { method, headers } = incoming;
    const outgoing = send(node.url + incoming.url!, { method: method!, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => void chunks.push(chunk));
      answer.on('end', () => response.writeHead(answer.statusCode!, answer.headers).end(Buffer.concat(chunks)));
      answer.on('error', () => response.destroy());
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    streams: () => streams,
    polls: () => polls,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
