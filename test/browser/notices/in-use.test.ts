/** Where the reader is told of messages: not where they look, not in each tab, not beside another device, not at night. */
import type { BrowserContext, Page } from 'playwright-core';
import { hasBrowser, openBrowser, signInAs, type TestBrowser } from '../../support/browser/browser';
import { userOf, type TestUser } from '../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

interface Told {
  notes: string[];
  isFocused: boolean;
}

inBrowser('Where the reader is told of messages', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let owner: TestUser;
  let member: TestUser;
  let context: BrowserContext;
  let first: Page;
  let second: Page;

  /** Notes are recorded instead of shown, and a page has the focus if the test says so. */
  const record = () => {
    const told: Told = { notes: [], isFocused: false };
    class Recorded extends EventTarget {
      static permission = 'granted';
      constructor(_title: string, { body }: { body: string }) {
        super();
        told.notes.push(body);
      }
      close() {}
    }
    Object.assign(window, { Notification: Recorded, told });
    document.hasFocus = () => told.isFocused;
  };
  const toldIn = (page: Page) => page.evaluate(() => (window as unknown as { told: Told }).told.notes);
  const use = (page: Page, isFocused: boolean) =>
    page.evaluate((isOn) => {
      (window as unknown as { told: Told }).told.isFocused = isOn;
      dispatchEvent(new Event(isOn ? 'focus' : 'blur'));
    }, isFocused);
  const lastUsed = async (page: Page) => {
    await use(page, true);
    await use(page, false);
  };
  const write = (content: string) =>
    owner.post('/messages', { type: 'private', to: JSON.stringify([member.email]), content });
  const seen = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text }).waitFor();

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    owner = await userOf(node, 'owner');
    member = await userOf(node, 'member');
    browser = await openBrowser();
    const page = await browser.page();
    context = page.context();
    await context.addInitScript(record);
    await signInAs(page, node.url, 'Max Member');
    const { user_id: ownerId } = (await owner.get('/users/me')).body as { user_id: number };
    const path = `${node.url}/private/${ownerId}`;
    await page.goto(path);
    first = page;
    second = await context.newPage();
    await second.goto(path);
    await second.getByRole('region', { name: 'Write a message' }).waitFor();
    await first.getByRole('region', { name: 'Write a message' }).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  /** What each tab told of a message that both have. */
  async function tellingOf(text: string): Promise<readonly boolean[]> {
    await write(text);
    for (const page of [first, second]) await seen(page, text);
    return [(await toldIn(first)).includes(text), (await toldIn(second)).includes(text)];
  }
  let count = 0;
  /** Locks pass from tab to tab in a moment. */
  const expectTold = (expected: readonly boolean[]) =>
    until(
      () => tellingOf(`message ${(count += 1)}`),
      (told) => JSON.stringify(told) === JSON.stringify(expected),
    );

  test('Of several tabs that one tells which was used last, and none while one is used', async () => {
    await lastUsed(first);
    await expectTold([true, false]);
    await lastUsed(second);
    await expectTold([false, true]);
    await use(first, true);
    await expectTold([false, false]);
    await use(first, false);
    await expectTold([true, false]);
  });

  test('In quiet hours nothing is told of but what the reader lets through', async () => {
    const set = (form: Record<string, string>) => member.patch('/settings/notifications', form);
    await set({ enable_quiet_hours: 'true', quiet_hours_from: '"00:00"', quiet_hours_to: '"00:00"' });
    await expectTold([false, false]);
    await set({ quiet_hours_allow_personal: 'true' });
    await expectTold([true, false]);
    await set({ enable_quiet_hours: 'false', quiet_hours_allow_personal: 'false' });
    await expectTold([true, false]);
  });

  test('While another device is in use, this one is silent', async () => {
    // A client that is heard of for the first time is told of at once.
    const beThere = () => member.post('/users/me/presence', { status: 'active', client: `phone ${(count += 1)}` });
    await until(
      async () => {
        await beThere();
        return tellingOf(`beside a phone ${(count += 1)}`);
      },
      (told) => !told.some(Boolean),
    );
  });

  test('Once the tab that tells is closed, another one does', async () => {
    await lastUsed(first);
    await first.close();
    first = second;
    // The reader is here again, after they used their phone.
    await second.reload();
    await second.getByRole('region', { name: 'Write a message' }).waitFor();
    await expectTold([true, true]);
  });
});
