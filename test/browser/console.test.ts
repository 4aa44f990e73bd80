import { tenantOf } from '../../src/kernel/actor/address';
import { defineJob } from '../../src/kernel/jobs/job';
import { COLOURS, axeFindings } from '../support/browser/axe';
import { hasBrowser, openBrowser, type TestBrowser, type TestPage } from '../support/browser/browser';
import { userOf } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { hasDrawing } from '../support/browser/drawing';
import { newBot, operator, type OperatorClient, type TestBot } from '../support/operators';
import { outOfSight } from '../support/browser/out-of-sight';
import { smallTargets, TELEPHONES } from '../support/browser/targets';
import { until } from '../support/until';
import { wakeBy } from '../support/kernel/mailboxes';
import { startWorkers } from '../support/kernel/workers';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('The operators’ console in a browser', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let ada: OperatorClient;
  let rita: OperatorClient;
  let bot: TestBot;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off', SAMPLE_MS: '500' });
    await cluster.seed();
    node = await cluster.node();
    await startWorkers(cluster, 'chat-webhooks');
    ada = await operator(node.kernel, node, 'ada', 'full');
    rita = await operator(node.kernel, node, 'rita', 'read');
    bot = await newBot(node.kernel, 'builds');
    browser = await openBrowser();
    page = await browser.page();
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  async function signIn(on: TestPage, name: string, key: string, path = '/ops'): Promise<void> {
    await on.goto(`${node.url}${path}`);
    await on.getByRole('textbox', { name: 'Name' }).fill(name);
    await on.getByLabel('Key', { exact: true }).fill(key);
    await on.getByRole('button', { name: 'Sign in' }).click();
  }
  const go = (on: TestPage, name: string) => on.getByRole('navigation').getByRole('link', { name }).click();
  const show = (on: TestPage, path: string) => on.evaluate((to) => history.pushState(null, '', to), path);
  const rows = (on: TestPage, table: string) => on.getByRole('region', { name: table }).getByRole('row');
  const find = (on: TestPage) => on.getByRole('button', { name: 'Search' }).click();

  /**
   * Deliveries that were accepted before their stream was deleted: they become dead letters when a worker reads them.
   */
  async function loseStream(count: number): Promise<void> {
    const { realm_id } = await node.kernel.mysql('chat_users').where({ id: bot.id }).first('realm_id');
    const taken = { realm_id, bot_id: bot.id, integration: 'json', stream: 'deploys', topic: null, event: '' };
    for (let n = 0; n < count; n += 1) {
      await node.kernel.mysql('chat_deliveries').insert({
        ...taken,
        dedupe_key: `json:lost-${n}@x`,
        payload: JSON.stringify({ text: `build ${n}`, api_key: 'canary-4711' }),
        notices: JSON.stringify([{ topic: 'json', content: `build ${n}` }]),
        state: 'pending',
        created_at: node.kernel.mysql.raw('NOW(3)'),
      });
    }
    const query = { api_key: bot.key, stream: 'test' };
    await node.call('/api/v1/external/json', { method: 'POST', query, raw: '{"wakes":"the worker"}' });
    const dead = () => node.kernel.mysql('chat_deliveries').where({ state: 'failed' });
    await until(dead, (found) => found.length === count);
  }

  test('The console refuses a wrong key with a message, and shows nothing else before sign-in', async () => {
    await signIn(page, 'ada', 'x'.repeat(40));
    await page.getByRole('alert').filter({ hasText: 'There is no operator of this name with this key.' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel('Key', { exact: true }).fill(ada.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation').waitFor();
  });

  test('The overview says first what is wrong and what to do, and draws the last hour and day', async () => {
    await go(page, 'Overview');
    const wrong = page.getByRole('region', { name: 'What is wrong' }).getByRole('listitem');
    await wrong.filter({ hasText: 'no worker is alive' }).getByText('Start one').waitFor();
    await rows(page, 'Nodes').nth(1).waitFor();
    const clients = page.getByRole('figure').filter({ hasText: 'Connections to Redis' });
    await clients.getByText(/^\d+, at most \d+$/).waitFor();
    await clients.getByRole('img', { name: /^Connections to Redis: \d+ now; at most \d+, at \d\d:\d\d; / }).waitFor();
    await until(() => clients.locator('canvas').evaluate(hasDrawing));
    await page.getByRole('button', { name: 'Last day' }).click();
    await clients.getByText(/^\d+, at most \d+$/).waitFor();
    await page.getByText('All numbers as a table').click();
    await until(async () => (await rows(page, 'All numbers as a table').count()) === 145);
    await rows(page, 'Slowest routes').nth(1).waitFor();
  });

  test('An operator finds dead letters, corrects their cause, retries them and sees the queue drain', async () => {
    await loseStream(3);
    await go(page, 'Work');
    const workQueue = page.getByRole('listitem').filter({ hasText: 'deliveries of external services' });
    await workQueue.getByRole('button', { name: '3 dead letters' }).click();
    await page.getByRole('textbox', { name: 'Address' }).fill(bot.email);
    await page.getByRole('textbox', { name: 'Part of the reason' }).fill('does not exist');
    await find(page);
    await until(async () => (await rows(page, 'Work that was found').count()) === 4);
    await page
      .getByRole('link', { name: /^deliveries \d+$/ })
      .last()
      .click();
    await page.getByText("Stream 'deploys' does not exist").waitFor();
    const payload = page.getByRole('region', { name: 'Payload' });
    expect(JSON.parse((await payload.textContent())!)).toEqual({ text: 'build 0', api_key: '********' });
    expect(await page.content()).not.toContain('canary');

    const owner = await userOf(node, 'owner');
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'deploys' }] });
    await page.getByRole('button', { name: /^Retry: deliveries/ }).click();
    await page.getByText('Done', { exact: true }).waitFor();
    await page.goBack();
    await until(async () => (await rows(page, 'Work that was found').count()) === 3);
    // Several at once, by their boxes.
    await page
      .getByRole('checkbox', { name: /^Choose: deliveries \d+$/ })
      .first()
      .check();
    await page.getByText('One is chosen', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Retry: 1' }).click();
    await until(async () => (await rows(page, 'Work that was found').count()) === 2);
    await page.getByRole('button', { name: 'Retry all: deliveries' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry all' }).click();
    await page.getByText('There is no such work.').waitFor();
    await workQueue.getByRole('button', { name: '0 dead letters' }).waitFor();
    await workQueue.getByRole('button', { name: '0 waiting' }).waitFor();
    await until(async () => (await node.kernel.mysql('chat_deliveries').whereNot({ state: 'done' })).length === 0);
  });

  test('A search by tenant finds jobs that wait in their queues', async () => {
    const owned = defineJob<object>('test-owned', { whose: () => tenantOf('tel', 'seven') });
    await wakeBy(node.kernel, { job: owned, id: 'one', payload: {} });
    await go(page, 'Work');
    await page.getByRole('combobox', { name: 'State' }).selectOption('waiting');
    await page.getByRole('textbox', { name: 'Tenant' }).fill('tel:seven');
    await find(page);
    const row = rows(page, 'Work that was found').filter({ hasText: 'jobs test-owned:one' });
    await row.getByText('tel:seven', { exact: true }).waitFor();
    expect(await rows(page, 'Work that was found').count()).toBe(2);
    await row.getByRole('link', { name: 'jobs test-owned:one' }).click();
    await page.getByRole('heading', { name: 'jobs test-owned:one' }).waitFor();
    await page.getByRole('region', { name: 'Payload' }).waitFor();
  });

  test('A queue is paused and resumed, and the audit trail shows who did it', async () => {
    await go(page, 'Queues');
    const queue = rows(page, 'Queues').filter({ hasText: 'mailbox-chat-webhooks' }).first();
    // With the keyboard alone; closing the dialog returns the focus to where it was opened.
    const pause = queue.getByRole('button', { name: 'Pause: mailbox-chat-webhooks' });
    await pause.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await until(() => pause.evaluate((button) => button === document.activeElement));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).press('Enter');
    await queue.getByText('paused').waitFor();
    await queue.getByRole('button', { name: 'Resume: mailbox-chat-webhooks' }).click();
    await queue.getByRole('button', { name: 'Pause: mailbox-chat-webhooks' }).waitFor();
    await go(page, 'Audit trail');
    await rows(page, 'Audit trail').filter({ hasText: 'Resumed' }).waitFor();
    const actions = (await rows(page, 'Audit trail').allTextContents()).slice(1);
    expect(actions.every((line) => line.includes('adaConsole'))).toBe(true);
    for (const action of ['Signed in', 'Tried again', 'Paused', 'Resumed'])
      expect(actions.some((line) => line.includes(`Console${action}`))).toBe(true);
  });

  test('A company is added with its key, limited and deactivated', async () => {
    await go(page, 'Tenants');
    const add = page.getByRole('region', { name: 'Add a tenant' });
    await add.getByRole('combobox', { name: 'Kind' }).selectOption('company');
    await add.getByRole('textbox', { name: 'Name of the tenant' }).fill('Sparrow Ltd');
    await add.getByRole('textbox', { name: 'Email of its owner' }).fill('jo@sparrow.example');
    await add.getByRole('button', { name: 'Add' }).click();
    await add.getByText(/^\w{40}$/).waitFor();
    const row = rows(page, 'Tenants').filter({ hasText: 'Sparrow Ltd' });
    await row.getByRole('button', { name: 'Limits: Sparrow Ltd' }).click();
    const people = page.getByRole('dialog').getByRole('textbox', { name: 'People' });
    await people.fill('9999999999');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByText('This is not a number that fits.').waitFor();
    expect(await people.getAttribute('aria-invalid')).toBe('true');
    await people.fill('25');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await row.getByText('People: 25').waitFor();
    await row.getByRole('button', { name: 'Deactivate: Sparrow Ltd' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await row.getByText('Deactivated').waitFor();
  });

  test('A read-only operator sees the same pages without buttons that change anything', async () => {
    const other = await browser.page();
    await signIn(other, 'rita', rita.key, '/ops/queues');
    await rows(other, 'Queues').filter({ hasText: 'mailbox-chat-webhooks' }).first().waitFor();
    await other.getByText('may look, not change').waitFor();
    await other.getByRole('link', { name: 'Skip to the content' }).press('Enter');
    await until(() => other.getByRole('main').evaluate((main) => main === document.activeElement));
    await other.getByRole('note').getByText('Your key lets you look at everything and change nothing').waitFor();
    for (const [path, table] of [
      ['/ops/work?state=any', 'Work that was found'],
      ['/ops/tenants', 'Tenants'],
      ['/ops/queues', 'Queues'],
    ] as const) {
      await show(other, path);
      await rows(other, table).nth(1).waitFor();
      const changing = other.getByRole('button', {
        name: /^(Pause|Resume|Retry|Discard|Replay|Limits|Deactivate|Add)/,
      });
      expect(await changing.count()).toBe(0);
    }
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(other.troubles).toEqual([]);
    await other.context().close();
  });

  test('Axe finds nothing on any page of the console, in light and dark mode, and all fit fingers on a phone', async () => {
    const narrow = await browser.page({
      viewport: TELEPHONES.upright,
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
      locale: 'de-DE',
    });
    await narrow.goto(`${node.url}/ops`);
    await narrow.getByRole('button', { name: /ada.*darf sehen und ändern/ }).click();
    const wrong = narrow.getByRole('region', { name: 'Was nicht stimmt' }).getByRole('listitem');
    await wrong.filter({ hasText: 'kein Worker lebt' }).getByText('Starten Sie einen').waitFor();
    expect(await narrow.locator('[lang=en]').allTextContents()).toEqual([expect.stringMatching(/^MariaDB /)]);
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await narrow.emulateMedia({ colorScheme });
      await narrow.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      for (const path of ['', '/work?state=any', '/work/deliveries/1', '/queues', '/tenants', '/trail']) {
        await show(narrow, `/ops${path}`);
        await narrow.getByRole('region').first().waitFor();
        found.push(...(await axeFindings(narrow, { rules: colorScheme === 'dark' ? COLOURS : undefined })));
        found.push(...(await outOfSight(narrow)));
        for (const size of [TELEPHONES.sideways, TELEPHONES.upright]) {
          found.push(...(await smallTargets(narrow)));
          await narrow.setViewportSize(size);
        }
      }
    }
    // German words are long: on a usual screen the buttons of a row must still be visible.
    await narrow.setViewportSize({ width: 1280, height: 800 });
    await show(narrow, '/ops/queues');
    const queues = narrow.getByRole('region', { name: 'Warteschlangen' });
    await queues.getByRole('button').first().waitFor();
    const hidden = await queues.evaluate((table) => table.scrollWidth - table.clientWidth);
    if (hidden > 0) found.push(`the table of queues is ${hidden} too wide`);
    await narrow.getByRole('combobox', { name: 'Sprache' }).selectOption('en');
    await narrow.reload();
    await narrow.getByRole('heading', { level: 1, name: 'Queues' }).waitFor();
    expect(found).toEqual([]);
    expect([...narrow.troubles, ...page.troubles]).toEqual([]);
    await narrow.context().close();
  });
});
