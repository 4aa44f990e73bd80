import type { CDPSession, Locator } from 'playwright-core';
import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { openPath } from '../../support/browser/chat-places';
import { TELEPHONES } from '../../support/browser/targets';
import { userOf, type TestUser } from '../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('Menus of rows', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let owner: TestUser;
  let member: TestUser;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    [owner, member] = await Promise.all([userOf(node, 'owner'), userOf(node, 'member')]);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });
  beforeEach(async () => {
    await owner.post('/messages', { type: 'private', to: [member.id], content: 'Are you there?' });
    await owner.post('/messages', { type: 'stream', to: 'general', topic: 'lunch', content: 'At noon' });
  });

  const sideRow = (page: TestPage) => page.getByRole('navigation').getByRole('link', { name: /Olive Owner/ });
  const row = (page: TestPage, name: string | RegExp) => page.getByRole('main').getByRole('link', { name }).first();
  const entry = (page: TestPage, name: string) =>
    page.getByRole('menuitem', { name }).or(page.getByRole('menuitemradio', { name }));
  const leave = async (page: TestPage): Promise<void> => {
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  };

  test('A right click on a private conversation opens its menu, in which it is marked as read', async () => {
    const page = await browser.page();
    await signInAs(page, node.url, 'Max Member');
    await sideRow(page)
      .getByRole('img', { name: /unread/ })
      .waitFor();
    await sideRow(page).click({ button: 'right' });
    await entry(page, 'Show the profile').click();
    await page.getByRole('dialog', { name: /Olive Owner/ }).waitFor();
    await page.keyboard.press('Escape');
    await sideRow(page).click({ button: 'right' });
    await entry(page, 'Mark the conversation as read').click();
    await sideRow(page)
      .getByRole('img', { name: /unread/ })
      .waitFor({ state: 'detached' });
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('Rows of the Inbox and of the recent conversations have the menus of their conversations', async () => {
    const page = await browser.page();
    await signInAs(page, node.url, 'Max Member');
    for (const path of ['/', '/recent']) {
      await openPath(page, path);
      await row(page, /^lunch/).click({ button: 'right' });
      await entry(page, 'Follow the topic').waitFor();
      await leave(page);
      await row(page, /^Olive Owner/).click({ button: 'right' });
      await entry(page, 'Copy a link to the conversation').waitFor();
      await leave(page);
    }
    await openPath(page, '/');
    await page.getByRole('button', { name: 'Menu of the stream general' }).last().click();
    await entry(page, 'Mute the stream').waitFor();
    await leave(page);
    await page.getByRole('main').getByRole('button', { name: 'Menu of the topic lunch' }).click();
    await entry(page, 'Mute the topic').click();
    await row(page, /^lunch/).waitFor({ state: 'detached' });
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  /** A finger as Chromium feels it, which then tells of a long press as of a right click. */
  async function press(hand: CDPSession, target: Locator, ms: number): Promise<void> {
    await target.scrollIntoViewIfNeeded();
    const box = (await target.boundingBox())!;
    const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
    await hand.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await new Promise((resolve) => setTimeout(resolve, ms));
    await hand.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  }

  /** Safari tells of touches alone. Returns whether lifting the finger would have followed the link. */
  const pressInSafari = (target: Locator, ms: number, moved = 0) =>
    target.evaluate(
      async (element, [long, way]) => {
        const box = element.getBoundingClientRect();
        const touch = (x: number) => new Touch({ identifier: 1, target: element, clientX: x, clientY: box.y + 5 });
        const tell = (type: string, touches: Touch[]) =>
          element.dispatchEvent(new TouchEvent(type, { touches, bubbles: true, cancelable: true }));
        tell('touchstart', [touch(box.x + 5)]);
        if (way > 0) tell('touchmove', [touch(box.x + 5 + way)]);
        await new Promise((resolve) => setTimeout(resolve, long));
        return tell('touchend', []);
      },
      [ms, moved] as const,
    );

  test('A long press opens the menu and follows no link, also in browsers that tell only of touches', async () => {
    await owner.post('/messages', { type: 'stream', to: 'general', topic: 'dinner', content: 'At eight' });
    const page = await browser.page({
      viewport: TELEPHONES.upright,
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    });
    const hand = await page.context().newCDPSession(page);
    await signInAs(page, node.url, 'Max Member');
    for (const path of ['/', '/recent']) {
      await openPath(page, path);
      await press(hand, row(page, /^dinner/), 1500);
      await entry(page, 'Follow the topic').waitFor();
      await leave(page);
      await until(async () => !(await pressInSafari(row(page, /^Olive Owner/), 1500)));
      await entry(page, 'Show the profile').waitFor();
      await leave(page);
      expect(new URL(page.url()).pathname).toBe(path);
      expect(await pressInSafari(row(page, /^dinner/), 1500, 40)).toBe(true);
      expect(await page.getByRole('menu').count()).toBe(0);
    }
    await page.getByRole('button', { name: 'Open the side bar' }).tap();
    await page.getByRole('button', { name: 'Close the side bar' }).waitFor();
    await press(hand, sideRow(page), 1500);
    await entry(page, 'Show the profile').waitFor();
    await leave(page);
    await row(page, /^dinner/).waitFor();
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });
});
