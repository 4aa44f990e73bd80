import { readFileSync } from 'node:fs';
import {
  hasBrowser,
  messageBox,
  openBrowser,
  say,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../support/browser';
import { openCluster, type Cluster, type TestNode } from '../support/cluster';
import { until } from '../support/until';
import { userOf } from '../support/chat';
import { HOSTILE_TEXTS } from '../security/hostile-values';
import { ALIVE } from '../unit/chat/markdown/corpus';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('The chat is open to everybody and to nothing hostile', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  /** What axe calls serious or worse. */
  async function findings(page: TestPage): Promise<string[]> {
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
    return page.evaluate(async () => {
      interface Finding {
        readonly id: string;
        readonly impact: string;
        readonly nodes: readonly { readonly html: string }[];
      }
      type Axe = { run(options: object): Promise<{ violations: Finding[] }> };
      const { axe } = globalThis as unknown as { axe: Axe };
      const { violations } = await axe.run({ resultTypes: ['violations'] });
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${location.pathname} ${id}: ${nodes[0]?.html.slice(0, 200) ?? ''}`);
    });
  }

  test('By the keyboard alone somebody signs in, reads and replies', async () => {
    const page = await browser.page();
    await page.goto(node.url);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('member@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type('demo');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'All messages' }).waitFor();
    await page.keyboard.press('c');
    await until(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label') === 'Topic'));
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('test');
    await page.getByRole('option', { name: 'test' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('keys');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Written without a mouse');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').filter({ hasText: 'Written without a mouse' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('k');
    await until(() => page.evaluate(() => document.activeElement?.tagName === 'ARTICLE'));
    await page.keyboard.press('r');
    await page.keyboard.type('And answered');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').filter({ hasText: 'And answered' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Go to a stream/ }).waitFor();
    await page.keyboard.type('starred');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Starred' }).waitFor();
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('On a telephone somebody finds a stream and writes there', async () => {
    const page = await browser.page({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    await signInAs(page, node.url, 'Ola Other');
    await page.getByRole('button', { name: 'Open the side bar' }).tap();
    await page.getByRole('link', { name: 'test' }).tap();
    await page.locator('#compose-topic').fill('on the road');
    await messageBox(page).fill('Greetings from the train');
    await page.getByRole('button', { name: 'Send' }).tap();
    await page.getByRole('article').filter({ hasText: 'Greetings from the train' }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(360);
    expect(await findings(page)).toEqual([]);
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('No page has a serious finding of axe, in light and in dark', async () => {
    const page = await browser.page();
    await page.goto(node.url);
    await page.getByRole('button', { name: 'Olive Owner' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await signInAs(page, node.url, 'Olive Owner');
    await page.evaluate(() => history.pushState(null, '', '/stream/1/topic/seen'));
    await say(page, 'Something to **see**: `code`, :smile: and a [link](https://example.com)');
    await page.getByRole('article').waitFor();
    const found: string[] = [];
    for (const [colorScheme, paths] of LOOKS) {
      await page.emulateMedia({ colorScheme });
      for (const path of paths) {
        await page.evaluate((to) => history.pushState(null, '', to), path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await until(async () => (await page.locator('[aria-busy=true]').count()) === 0);
        found.push(...(await findings(page)).map((each) => `${colorScheme} ${each}`));
      }
    }
    expect(found).toEqual([]);
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  const SETTINGS = ['profile', 'account', 'notifications', 'appearance', 'sessions', 'bots', 'people', 'organisation'];
  const LOOKS = [
    ['light', ['/stream/1/topic/seen', '/', '/streams/1', ...SETTINGS.map((name) => `/settings/${name}`)]],
    ['dark', ['/stream/1/topic/seen', '/settings/account']],
  ] as const;

  test('The hostile corpus is inert wherever text is shown', async () => {
    const api = await userOf(node, 'owner');
    const texts = [...new Set([...ALIVE, ...HOSTILE_TEXTS])].filter((text) => text.trim() !== '' && text.length < 5000);
    for (const [index, text] of texts.entries()) {
      const topic = index % 3 === 0 ? text.slice(0, 60) : 'corpus';
      await api.post('/messages', { type: 'stream', to: 'test', topic, content: text });
    }
    const page = await browser.page();
    await signInAs(page, node.url, 'Olive Owner');
    await page.getByRole('link', { name: /^test/ }).click();
    await page.getByRole('article').first().waitFor();
    for (let turn = 0; turn < 12; turn += 1) await page.keyboard.press('PageUp');
    await messageBox(page).fill(texts.join('\n\n').slice(0, 9000));
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByRole('region', { name: 'Preview' }).waitFor();
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await messageBox(page).fill('');
    expect(await page.locator('article script, article iframe, article object, article [onerror]').count()).toBe(0);
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });
});
