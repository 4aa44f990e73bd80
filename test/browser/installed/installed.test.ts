/** The chat as an installed app: what browsers ask for, a start without a network, another build, another account. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Middleware } from 'koa';
import {
  hasBrowser,
  messageBox,
  openBrowser,
  say,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../../support/browser/browser';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

const TELEPHONE = { viewport: { width: 360, height: 740 }, serviceWorkers: 'allow' as const };
const TOPIC = '/stream/1/topic/tunnel';
const BUILT = join(__dirname, '../../../dist/web');

/** The page and the worker of a later build, as far as a browser can tell. */
function laterBuild() {
  const page = readFileSync(join(BUILT, 'index.html'), 'utf8').replace(
    '<head>',
    '<head><meta name="build" content="2">',
  );
  const hash = createHash('sha256').update(page).digest('base64');
  const worker = readFileSync(join(BUILT, 'worker.js'), 'utf8')
    .replace(/build:"\w+"|"build":"\w+"/, '"build":"later"')
    .replace(/sha256-[^"]+/, `sha256-${hash}`);
  return { page, worker };
}

inBrowser('The chat as an installed app', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let later: ReturnType<typeof laterBuild> | undefined;
  const serveLater: Middleware = async (ctx, next) => {
    const body =
      ctx.path === '/worker.js' ? later?.worker : /^\/(?:index\.html|stream.*)?$/.test(ctx.path) && later?.page;
    if (!body) return next();
    ctx.type = ctx.path === '/worker.js' ? 'text/javascript' : 'text/html';
    ctx.set('Content-Security-Policy', "script-src 'self'; connect-src 'self'; worker-src 'self'");
    ctx.body = body;
  };

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node({}, undefined, [serveLater]);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  /** Signed in, with the worker in charge of the page. */
  async function openApp(name = 'Max Member'): Promise<TestPage> {
    const page = await browser.page(TELEPHONE);
    await signInAs(page, node.url, name);
    await page.goto(node.url + TOPIC);
    await messageBox(page).waitFor();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    return page;
  }

  const article = (page: TestPage, text: string) => page.getByRole('article').filter({ hasText: text });
  const hide = (page: TestPage) =>
    page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
      Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
    });
  const databases = (page: TestPage) =>
    page.evaluate(async () =>
      (await indexedDB.databases()).map(({ name }) => name).filter((name) => name !== undefined),
    );
  const isKept = (page: TestPage) =>
    until(async () => {
      await hide(page);
      return (await databases(page)).includes('partyline-kept');
    });

  test.each(['/', '/portal'])('The browser finds nothing that keeps %s from being installed', async (path) => {
    const page = await browser.page(TELEPHONE);
    await page.goto(node.url + path);
    const hand = await page.context().newCDPSession(page);
    const manifest = await hand.send('Page.getAppManifest');
    expect(manifest.errors).toEqual([]);
    expect(manifest.url).toBe(`${node.url}/${path === '/' ? 'app' : 'portal'}.webmanifest`);
    const { installabilityErrors } = await hand.send('Page.getInstallabilityErrors');
    // The test's own kind of window is never installed.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
    for (const { src } of (JSON.parse(manifest.data!) as { icons: { src: string }[] }).icons) {
      expect((await fetch(node.url + src)).headers.get('content-type')).toBe('image/png');
    }
    await page.context().close();
  });

  test('Without a network it starts with what was read last, keeps what is written, and sends it later', async () => {
    const page = await openApp();
    await say(page, 'before the tunnel');
    await article(page, 'before the tunnel').waitFor();
    await isKept(page);
    await page.context().setOffline(true);
    await page.reload();
    await article(page, 'before the tunnel').waitFor();
    await page.getByRole('status').filter({ hasText: 'The connection is lost' }).first().waitFor();
    await say(page, 'from the tunnel');
    await page.getByText('Waiting for the connection').waitFor();
    await page.reload();
    await page.getByText('from the tunnel').waitFor();
    await page.context().setOffline(false);
    await article(page, 'from the tunnel').waitFor();
    await until(
      async () => (await page.getByRole('status').filter({ hasText: 'The connection is lost' }).count()) === 0,
    );
    await page.reload();
    await article(page, 'from the tunnel').waitFor();
    expect(await article(page, 'from the tunnel').count()).toBe(1);
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('Without a network, pages that it does not keep say what they wait for, and open when it is back', async () => {
    const page = await openApp();
    await isKept(page);
    await page.context().setOffline(true);
    await page.goto(`${node.url}/recent`);
    await page.getByRole('heading', { level: 1, name: 'Recent conversations' }).waitFor();
    for (const path of ['/scheduled', '/settings/notifications']) {
      await page.goto(node.url + path);
      await page.getByRole('heading', { level: 1, name: 'This page needs the connection' }).waitFor();
    }
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
    const styles = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('link[rel=stylesheet]')].map((link) => (link as HTMLLinkElement).sheet !== null),
      );
    expect(await styles()).not.toContain(false);
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('Signing out deletes what was kept; a session of another account cannot read it', async () => {
    const page = await openApp();
    await say(page, 'for my eyes only');
    await isKept(page);
    const taken = await page.evaluate(async () => {
      const opening = indexedDB.open('partyline-kept');
      await new Promise((resolve) => (opening.onsuccess = resolve));
      const get = opening.result.transaction('page').objectStore('page').get('newest');
      await new Promise((resolve) => (get.onsuccess = resolve));
      opening.result.close();
      return new TextDecoder('latin1').decode((get.result as { data: ArrayBuffer }).data);
    });
    expect(taken.length).toBeGreaterThan(1000);
    expect(taken).not.toContain('for my eyes only');
    // The other account signs in without the first one having signed out; what the first kept is still there.
    await page.evaluate(async () => {
      const token = /partyline_token=([^;]+)/.exec(document.cookie)![1]!;
      const headers = { 'Content-Type': 'application/json', 'X-Partyline-Token': token };
      await fetch('/web/session', { method: 'POST', headers, body: JSON.stringify({ demo: 'owner@example.com' }) });
    });
    await page.context().setOffline(true);
    await page.reload();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByText('for my eyes only').count()).toBe(0);
    await page.context().setOffline(false);
    await page.reload();
    await messageBox(page).waitFor();
    await isKept(page);
    await page.evaluate(async () => {
      const token = /partyline_token=([^;]+)/.exec(document.cookie)![1]!;
      await fetch('/web/session', { method: 'DELETE', headers: { 'X-Partyline-Token': token } });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Max Member' }).waitFor();
    await until(async () => (await databases(page)).length === 0);
    await page.context().close();
  });

  test('A picture that another app shares becomes a chip of a draft, which asks for stream and topic', async () => {
    const page = await openApp();
    await page.evaluate(() => {
      const form = Object.assign(document.createElement('form'), { method: 'POST', action: '/share' });
      form.enctype = 'multipart/form-data';
      const [text, files] = [document.createElement('input'), document.createElement('input')];
      Object.assign(text, { name: 'text', value: 'look at this' });
      Object.assign(files, { name: 'files', type: 'file' });
      const data = new DataTransfer();
      data.items.add(new File(['not much of a picture'], 'wiring größe.png', { type: 'image/png' }));
      files.files = data.files;
      form.append(text, files);
      document.body.append(form);
      form.submit();
    });
    const chip = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
    await chip.filter({ hasText: 'wiring größe.png' }).getByRole('button', { name: 'Remove' }).waitFor();
    expect(await messageBox(page).inputValue()).toBe('look at this');
    await page.getByRole('combobox', { name: 'Stream' }).waitFor();
    expect(await page.evaluate(() => caches.has('partyline-shared'))).toBe(false);
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('Another build is there with the next page, whole, with and without a network', async () => {
    const page = await openApp();
    later = laterBuild();
    const caches = () => page.evaluate(async () => (await globalThis.caches.keys()).toSorted());
    await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())!.update()));
    await until(async () => (await caches()).includes('partyline-shell-later'));
    await until(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.waiting === null));
    // The open page goes on with its own files.
    await say(page, 'still writing');
    await article(page, 'still writing').waitFor();
    await page.reload();
    expect(await page.locator('meta[name=build]').count()).toBe(1);
    await article(page, 'still writing').waitFor();
    await isKept(page);
    await page.context().setOffline(true);
    await page.reload();
    expect(await page.locator('meta[name=build]').count()).toBe(1);
    await article(page, 'still writing').waitFor();
    await page.context().close();
  });
});
