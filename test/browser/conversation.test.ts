import type { Locator } from 'playwright-core';
import { openBalancer, type Balancer } from '../support/proxies/balancer';
import {
  hasBrowser,
  messageBox,
  openBrowser,
  say,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../support/browser/browser';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { startMainNode, type MainNode } from '../support/processes/main-node';
import { killAll } from '../support/processes/processes';
import { until } from '../support/until';
import { startWorkers } from '../support/kernel/workers';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('The chat in a browser', () => {
  let cluster: Cluster;
  let steady: TestNode;
  /** A separate process. */
  let doomed: MainNode;
  let balancer: Balancer;
  let browser: TestBrowser;
  let owner: TestPage;
  let member: TestPage;

  beforeAll(async () => {
    // With the default rate limits of a server.
    cluster = await openCluster();
    await cluster.seed();
    [steady, doomed] = await Promise.all([cluster.node(), startMainNode(cluster.environment)]);
    await startWorkers(cluster, 'chat-search');
    balancer = await openBalancer([doomed.port, steady.port]);
    browser = await openBrowser();
    owner = await browser.page();
    member = await browser.page();
    await Promise.all([signInAs(owner, steady.url, 'Olive Owner'), signInAs(member, balancer.url, 'Max Member')]);
  });
  afterAll(async () => {
    await browser.close();
    await balancer.close();
    await killAll();
    await cluster.close();
  });

  const openTopic = (page: TestPage, topic: string) =>
    page.evaluate((path) => history.pushState(null, '', path), `/stream/1/topic/${topic}`);
  const messages = (page: TestPage) => page.getByRole('article');
  /** A message that moves away from under the pointer hides its buttons again. */
  const pressAction = async (message: Locator, name: string): Promise<void> => {
    const button = message.getByRole('button', { name });
    await until(async () => {
      await message.hover();
      return button.isVisible();
    });
    await button.click();
  };
  const textsOf = (page: TestPage): Promise<string[]> => messages(page).locator('.rich-text').allTextContents();

  test('Two people on two nodes converse, edit, react and delete', async () => {
    await Promise.all([openTopic(owner, 'lunch'), openTopic(member, 'lunch')]);
    await say(owner, 'Shall we eat at **noon**, @**Max Member**?');
    const asked = messages(member).filter({ hasText: 'Shall we eat at noon, @Max Member?' });
    await asked.waitFor();
    await member.keyboard.press('k');
    await member.keyboard.press('r');
    await member.keyboard.type('Yes, gladly');
    await member.keyboard.press('Control+Enter');
    const answer = messages(owner).filter({ hasText: 'Yes, gladly' });
    await answer.waitFor();

    await member.keyboard.press('Escape');
    await pressAction(messages(member).last(), 'Edit the message');
    await member.getByRole('textbox', { name: 'Edit the message' }).fill('Yes, at one');
    await member.keyboard.press('Control+Enter');
    await messages(owner).filter({ hasText: 'Yes, at one' }).getByRole('button', { name: 'edited' }).click();
    await owner.getByRole('dialog', { name: 'Edit history' }).getByText('gladly', { exact: true }).waitFor();
    await owner.keyboard.press('Escape');

    await pressAction(messages(owner).last(), 'React');
    await owner.getByRole('searchbox', { name: 'Search emoji' }).fill('tada');
    await owner.getByRole('button', { name: 'tada', exact: true }).click();
    await member.getByRole('button', { name: 'Olive Owner reacted with :tada:' }).waitFor();

    await messages(owner).last().getByRole('button', { name: 'More actions' }).click();
    await owner.getByRole('menuitem', { name: 'Delete the message' }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Delete the message' }).click();
    await until(async () => !(await textsOf(member)).includes('Yes, at one'));
    expect(await textsOf(owner)).toEqual(['Shall we eat at noon, @Max Member?']);
  });

  test('Keys pressed before the text of a message has loaded for editing are not lost', async () => {
    await openTopic(member, 'quick');
    await say(member, 'Hello');
    await messages(member).filter({ hasText: 'Hello' }).waitFor();
    let letGo = (): void => {};
    const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
    await member.route(/\/messages\/\d+$/, (route) => isLetGo.then(() => route.continue()));
    for (const key of ['Escape', 'End', 'e', '!', 'Control+Enter']) await member.keyboard.press(key);
    letGo();
    await messages(member).filter({ hasText: 'Hello!' }).waitFor();
    await member.keyboard.press('+');
    await member.getByRole('button', { name: 'You reacted with :+1:' }).waitFor();
    await member.unroute(/\/messages\/\d+$/);
  });

  test('The unread count of a conversation appears for other users, and disappears when it is read', async () => {
    await member.getByRole('link', { name: 'Starred' }).click();
    await openTopic(owner, 'counted');
    await say(owner, 'one');
    await say(owner, 'two');
    const stream = member.getByRole('link', { name: /^general/ });
    await stream.getByRole('img', { name: '2 unread' }).waitFor();
    await openTopic(member, 'counted');
    await until(async () => (await stream.getByRole('img').count()) === 0);
  });

  test('A conversation loses and duplicates no message when a node is killed', async () => {
    await Promise.all([openTopic(owner, 'failover'), openTopic(member, 'failover')]);
    await say(member, 'before');
    await messages(owner).filter({ hasText: 'before' }).waitFor();
    for (const text of ['one', 'two', 'three']) await say(member, text);
    doomed.kill('SIGKILL');
    for (const text of ['four', 'five']) await say(member, text);
    await say(owner, 'six');
    const all = ['before', 'five', 'four', 'one', 'six', 'three', 'two'];
    for (const page of [owner, member]) await until(async () => (await textsOf(page)).length >= all.length);
    expect((await textsOf(owner)).toSorted()).toEqual(all);
    expect((await textsOf(member)).toSorted()).toEqual(all);
  });

  test('A message written while the server is down is sent once when it is back, even after a reload', async () => {
    balancer.lose(steady.port);
    await openTopic(member, 'away');
    await messageBox(member).waitFor();
    await say(member, 'into the void');
    await member.getByText('Waiting for the connection').waitFor();
    await messageBox(member).fill('a draft');
    await member.getByText('The connection is lost.').waitFor();
    balancer.regain(steady.port);
    await member.reload();
    await openTopic(owner, 'away');
    await messages(owner).filter({ hasText: 'into the void' }).waitFor();
    await until(async () => (await textsOf(member)).length === 1);
    expect(await messageBox(member).inputValue()).toBe('a draft');
    await until(async () => (await member.getByText('Waiting for the connection').count()) === 0);
    expect(await textsOf(owner)).toEqual(['into the void']);
    await messageBox(member).fill('');
  });

  test('The chat page registers an expired queue again without a reload', async () => {
    await Promise.all([openTopic(owner, 'expired'), openTopic(member, 'expired')]);
    await say(owner, 'first');
    await messages(member).filter({ hasText: 'first' }).waitFor();
    const [registered] = await Promise.all([member.waitForResponse(/\/register$/), member.reload()]);
    const { queue_id: queue } = (await registered.json()) as { queue_id: string };
    await say(owner, 'second');
    await messages(member).filter({ hasText: 'second' }).waitFor();
    const token = await member.evaluate(async () => {
      const session = (await (await fetch('/web/session')).json()) as { token: string };
      return session.token;
    });
    await member.evaluate(
      ([id, secret]) =>
        fetch(`/api/v1/events?queue_id=${id}`, { method: 'DELETE', headers: { 'X-Partyline-Token': secret! } }),
      [queue, token],
    );
    await say(owner, 'third');
    await messages(member).filter({ hasText: 'third' }).waitFor();
    expect(await textsOf(member)).toEqual(['first', 'second', 'third']);
  });

  test('A link to a message opens in the page, and the back button returns', async () => {
    await openTopic(owner, 'lunch');
    await messages(owner).first().hover();
    const id = await messages(owner).first().getAttribute('data-message-id');
    await owner.goto(`${steady.url}/stream/1/topic/lunch/near/${id}`);
    await messages(owner).filter({ hasText: 'Shall we eat' }).waitFor();
    await owner.getByRole('link', { name: 'Mentions' }).click();
    await owner.getByRole('heading', { name: 'Mentions' }).waitFor();
    await owner.goBack();
    await owner.getByRole('heading', { name: /general.*lunch/ }).waitFor();
  });

  test('A search in the chat page finds words and highlights them', async () => {
    await owner.getByRole('combobox', { name: 'Search messages' }).fill('stream:general noon');
    await owner.keyboard.press('Enter');
    await messages(owner).filter({ hasText: 'noon' }).waitFor();
    expect(await messages(owner).locator('.highlight').allTextContents()).toEqual(['noon']);
    await openTopic(owner, 'lunch');
    await owner.getByRole('heading', { name: /general.*lunch/ }).waitFor();
    await messages(owner).filter({ hasText: 'noon' }).waitFor();
    expect(await messages(owner).locator('.highlight').count()).toBe(0);
  });

  test('A script of the page that could not be loaded is loaded again', async () => {
    let loads = 0;
    owner.on('load', () => (loads += 1));
    const part = /\/assets\/settings-[^/]+\.js$/;
    await owner.route(part, (route) => route.abort(), { times: 1 });
    await owner.evaluate(() => history.pushState(null, '', '/settings/profile'));
    await owner.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    expect(loads).toBe(0);
  });

  test('A page whose scripts a new release has removed reloads itself once', async () => {
    let loads = 0;
    owner.on('load', () => (loads += 1));
    await owner.route(/\/assets\/directory-[^/]+\.js$/, (route) => route.fulfill({ status: 404 }));
    const release = { contentType: 'text/html', body: '<script type="module" src="/assets/index-newer.js"></script>' };
    await owner.route(`${steady.url}/streams`, (route) =>
      route.request().resourceType() === 'document' ? route.continue() : route.fulfill(release),
    );
    await owner.evaluate(() => history.pushState(null, '', '/streams'));
    await until(() => loads === 1);
    // The page is still notified of a newer release, and waits.
    await owner.waitForRequest(/\/assets\/directory-/);
    await owner.unrouteAll();
    await owner.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
    expect(loads).toBe(1);
  });

  test('Neither page has reported an error', () => {
    expect([...owner.troubles, ...member.troubles]).toEqual([]);
  });
});
