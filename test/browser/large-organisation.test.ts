import {
  hasBrowser,
  messageBox,
  openBrowser,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../support/browser/browser';
import { userOf, type TestUser } from '../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

const CROWD = 3000;
const LIST = '**/api/v1/users?*';

inBrowser('The chat of an organisation with thousands of people', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let owner: TestUser;
  let other: TestUser;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
    [owner, other] = [await userOf(node, 'owner'), await userOf(node, 'other')];
    const columns = 'realm_id, email, full_name, short_name, role, settings, key_hash, key_sealed, joined_at';
    await node.kernel.mysql.raw(
      `INSERT INTO chat_users (${columns}) SELECT realm_id, CONCAT('crowd', seq, '@example.com'), CONCAT('Crowd ', seq), ` +
        `'c', 'member', '{}', SHA2(seq, 256), 'none', NOW(3) FROM chat_users JOIN seq_1_to_${CROWD} WHERE chat_users.id = ?`,
      [owner.id],
    );
    const [crowded] = await node.kernel.mysql('chat_users').where({ full_name: `Crowd ${CROWD}` });
    await owner.post('/messages', { type: 'private', to: [other.id], content: 'Between us' });
    await owner.post('/messages', { type: 'private', to: [crowded.id], content: 'One of many' });
    page = await browser.page();
    await signInAs(page, node.url, 'Olive Owner');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  /** Opens a view; the list of people is read at once, and arrives when the test says so. */
  async function openWithoutPeople(path: string): Promise<() => void> {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isRead = false;
    const hold = async (route: Parameters<Parameters<TestPage['route']>[1]>[0]): Promise<void> => {
      const response = await route.fetch();
      isRead = true;
      await released;
      await route.fulfill({ response });
    };
    await page.route(LIST, hold, { times: 1 });
    await page.goto(node.url + path);
    await until(() => isRead);
    return release;
  }

  test('The registration of the page brings only the people that it needs first', async () => {
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/register')),
      page.goto(node.url),
    ]);
    const { realm_users: users } = (await answer.json()) as { realm_users: { full_name: string }[] };
    const names = users.map(({ full_name: name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Olive Owner', 'Ola Other', `Crowd ${CROWD}`]));
    expect(names.length).toBeLessThan(10);
  });

  test('Before the list of people is there, messages, conversations and titles have their names', async () => {
    const release = await openWithoutPeople('/private');
    await page.getByRole('article').filter({ hasText: 'Between us' }).waitFor();
    await page.getByRole('link', { name: 'Ola Other' }).first().waitFor();
    await page
      .getByRole('link', { name: `Crowd ${CROWD}` })
      .first()
      .click();
    await page.getByRole('heading', { name: `Crowd ${CROWD}` }).waitFor();
    await page.getByRole('article').filter({ hasText: 'One of many' }).waitFor();
    expect(page.troubles).toEqual([]);
    release();
  });

  test('Somebody whom the page does not know yet is offered to complete their name once they are there', async () => {
    const release = await openWithoutPeople('/stream/1/topic/crowd');
    await messageBox(page).fill('');
    await messageBox(page).pressSequentially('@Crowd 23');
    expect(await page.getByRole('option', { name: 'Crowd 23' }).count()).toBe(0);
    release();
    await page.getByRole('option', { name: 'Crowd 23' }).first().waitFor();
    await messageBox(page).press('Enter');
    await until(async () => (await messageBox(page).inputValue()) === '@**Crowd 23** ');
    await messageBox(page).fill('');
  });

  test('A name that changes while an older list of people is on its way is not changed back', async () => {
    const release = await openWithoutPeople('/private');
    const link = (name: string) => page.getByRole('link', { name }).first();
    await link('Ola Other').waitFor();
    expect((await owner.patch(`/users/${other.id}`, { full_name: 'Ola Renamed' })).status).toBe(200);
    await link('Ola Renamed').waitFor();
    release();
    await link(`Crowd ${CROWD}`).click();
    // Somebody who is only in the list: it has arrived.
    const found = page.getByRole('option', { name: 'Crowd 17' }).first();
    await until(async () => {
      await messageBox(page).fill('');
      await messageBox(page).fill('@Crowd 17');
      return found.isVisible();
    });
    await messageBox(page).fill('');
    expect(await link('Ola Renamed').isVisible()).toBe(true);
    expect(page.troubles).toEqual([]);
  });
});
