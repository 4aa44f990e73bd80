import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../support/browser/browser';
import { userOf } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

const SETTINGS = (
  'profile account notifications words topics appearance sessions files bots groups invitations people organisation ' +
  'sign-in linkifiers emoji fields'
).split(' ');

/** Links in text flow with it; what nobody sees, or what hands touches on, cannot be touched. */
const TARGETS = 'a, button, select, textarea, input:not([type=hidden]), [role=option], [role=menuitem]';
const IN_TEXT = '.rich-text a, p a, .pl-hidden, [aria-hidden=true], a[href="#main"]';

/** What is smaller than a finger, by name and size. The label of a field is part of it. */
const smallTargets = (page: TestPage) =>
  page.evaluate(
    ([targets, inText]) =>
      [...document.querySelectorAll<HTMLElement>(targets!)].flatMap((each) => {
        if (each.closest(inText!) || !each.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
          return [];
        if (getComputedStyle(each).pointerEvents === 'none') return [];
        // A link that is stretched over its row.
        const isStretched = getComputedStyle(each, '::after').inset === '0px';
        const field =
          each.closest('label, [role=search]:has(#search), .mantine-MultiSelect-input') ??
          each.closest('[class*="-root"]:has(label)') ??
          (isStretched && each.offsetParent ? each.offsetParent : each);
        const boxes = [each, field].map((part) => part.getBoundingClientRect());
        const width = Math.max(...boxes.map((box) => box.width));
        const height = Math.max(...boxes.map((box) => box.height));
        if (width === 0 || height === 0 || Math.round(Math.min(width, height)) >= 44) return [];
        const name = each.getAttribute('aria-label') ?? each.textContent.trim().slice(0, 40);
        return [`${each.localName} ${name} ${Math.round(width)}×${Math.round(height)}`];
      }),
    [TARGETS, IN_TEXT],
  );

inBrowser('The chat on a telephone', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    const member = await userOf(node, 'member');
    await member.post('/messages', { type: 'stream', to: 'general', topic: 'lunch', content: 'at *noon* :smile:' });
    browser = await openBrowser();
    page = await browser.page({ viewport: { width: 360, height: 740 }, hasTouch: true, reducedMotion: 'reduce' });
    await signInAs(page, node.url, 'Olive Owner');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const PAGES: readonly string[] = [
    '/',
    '/recent',
    '/all',
    '/stream/1/topic/lunch',
    '/private',
    '/streams',
    '/streams/new',
    '/streams/1',
    '/welcome',
    ...SETTINGS.map((name) => `/settings/${name}`),
  ];

  test.each(PAGES)(
    'Everything on %s is large enough for a finger, and nothing is wider than the screen',
    async (path) => {
      await page.evaluate((to) => history.pushState(null, '', to), path);
      await page.getByRole('main').waitFor();
      await until(() => page.evaluate(() => document.querySelector('main [aria-busy=true]') === null));
      expect(await smallTargets(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    },
  );
});
