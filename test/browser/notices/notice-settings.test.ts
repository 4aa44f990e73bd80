/** The settings of notifications: the table, the menus of rows, sounds, quiet hours, and the count in the title. */
import { axeFindings } from '../../support/browser/axe';
import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { openPath } from '../../support/browser/chat-places';
import { userOf, type TestUser } from '../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

type Own = Readonly<Record<string, unknown>> & { readonly stream_id: number };

inBrowser('The settings of notifications', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let owner: TestUser;
  let member: TestUser;
  let general: number;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    owner = await userOf(node, 'owner');
    member = await userOf(node, 'member');
    general = (await member.get('/get_stream_id', { stream: 'general' })).body.stream_id as number;
    browser = await openBrowser();
    page = await browser.page();
    // Counts the tones that the page plays.
    await page.addInitScript(() => {
      const heard: number[] = [];
      class Counted extends AudioContext {
        override createOscillator() {
          heard.push(1);
          return super.createOscillator();
        }
      }
      Object.assign(window, { AudioContext: Counted, heard });
    });
    await signInAs(page, node.url, 'Max Member');
    await openPath(page, '/settings/notifications');
  });
  afterEach(() => expect(page.troubles).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const own = async (): Promise<Own> => {
    const { subscriptions } = (await member.get('/users/me/subscriptions')).body as { subscriptions: Own[] };
    return subscriptions.find(({ stream_id }) => stream_id === general)!;
  };
  const settings = async (): Promise<Readonly<Record<string, unknown>>> =>
    (await member.post('/register', { fetch_event_types: ['update_global_notifications'] })).body;
  const box = (way: string, name: string) => page.getByRole('checkbox', { name: `${way}: ${name}`, exact: true });
  const level = (name: string) => page.getByRole('combobox', { name: `How much of ${name}`, exact: true });
  const chosen = async (name: string) => (await level(name).locator('option:checked').textContent()) ?? '';

  test('A stream is told of by all, mentions or nothing, and in each way by itself', async () => {
    expect(await chosen('#general')).toBe('Mentions');
    await box('Push', '#general').press('Space');
    await until(async () => (await own())['push_notifications']);
    await until(async () => (await chosen('#general')) === 'All messages');
    await level('#general').selectOption('None (muted)');
    await until(async () => (await own())['is_muted']);
    await until(() => box('Push', '#general').isDisabled());
    await level('#general').selectOption('Mentions');
    await until(async () => !(await own())['is_muted'] && !(await own())['push_notifications']);
    await until(async () => !(await box('Push', '#general').isChecked()));
    await level('#general').selectOption('All messages');
    await until(async () => (await own())['push_notifications'] && (await own())['desktop_notifications']);
    expect(await own()).toMatchObject({ audible_notifications: false, email_notifications: false });
    await level('#general').selectOption('Mentions');
    await until(async () => (await chosen('#general')) === 'Mentions');
  });

  test('The menu of a stream has the same choice', async () => {
    const side = page.getByRole('navigation', { name: 'Streams and conversations' });
    const choose = async (name: string) => {
      await side.getByRole('link', { name: 'general' }).click({ button: 'right' });
      await page.getByRole('menuitemradio', { name, exact: true }).click();
    };
    await choose('Notify me of all messages');
    await until(async () => (await chosen('#general')) === 'All messages');
    await side.getByRole('link', { name: 'general' }).click({ button: 'right' });
    await page.getByRole('menuitemradio', { name: 'Notify me of all messages', checked: true }).waitFor();
    expect(await axeFindings(page, { hasMenu: true })).toEqual([]);
    await page.keyboard.press('Escape');
    await choose('Mute the stream');
    await until(async () => (await chosen('#general')) === 'None (muted)');
    await level('#general').selectOption('Mentions');
    await until(async () => (await chosen('#general')) === 'Mentions');
  });

  test('Streams without a choice of their own follow the general one', async () => {
    await node.kernel.mysql('chat_subscriptions').update({ notify_email: null });
    const name = 'Streams without a choice of their own';
    await box('Mail', name).press('Space');
    await until(async () => (await settings())['enable_stream_email_notifications']);
    await until(() => box('Mail', '#general').isChecked());
    await level(name).selectOption('Mentions');
    await until(async () => !(await settings())['enable_stream_email_notifications']);
    await until(async () => !(await box('Mail', '#general').isChecked()));
  });

  test('A topic with a setting of its own has a row, and shows what follows from it', async () => {
    await member.post('/user_topics', { stream_id: general, topic: 'lunch', visibility_policy: 3 });
    const row = '#general › lunch';
    await until(() => box('Push', row).isChecked());
    expect(await box('Push', row).isDisabled()).toBe(true);
    await box('Push', 'Topics that you follow').press('Space');
    await until(async () => (await settings())['enable_followed_topic_push_notifications'] === false);
    await until(async () => !(await box('Push', row).isChecked()));
    await level(row).selectOption('Muted');
    await until(async () => !(await box('Screen', row).isChecked()));
    await page.getByRole('searchbox', { name: 'Find a stream or topic' }).fill('nothing like this');
    await level(row).waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Find a stream or topic' }).fill('LUNCH');
    await level(row).selectOption('As the stream');
    await level(row).waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Find a stream or topic' }).fill('');
  });

  test('A sound is chosen, and played', async () => {
    const heard = () => page.evaluate(() => (window as unknown as { heard: unknown[] }).heard.length);
    await page.getByRole('combobox', { name: 'Sound of notifications' }).selectOption('Chime');
    await until(async () => (await settings())['notification_sound'] === 'chime');
    expect(await heard()).toBe(3);
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    expect(await heard()).toBe(6);
  });

  test('Quiet hours have times, days, and an exception', async () => {
    await page.getByRole('switch', { name: 'Keep quiet hours' }).press('Space');
    await page.getByLabel('From', { exact: true }).fill('21:15');
    await page.getByLabel('To', { exact: true }).fill('06:45');
    await page.getByRole('checkbox', { name: 'Sun', exact: true }).press('Space');
    await page.getByRole('switch', { name: 'Let private messages and mentions through' }).press('Space');
    await until(async () => (await settings())['quiet_hours_allow_personal']);
    await until(async () => (await settings())['quiet_hours_days'] === '123456');
    expect(await settings()).toMatchObject({
      enable_quiet_hours: true,
      quiet_hours_from: '21:15',
      quiet_hours_to: '06:45',
    });
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('switch', { name: 'Keep quiet hours' }).press('Space');
  });

  test('The number in the title and on the icon is what the reader counts', async () => {
    const icon = async () => decodeURIComponent((await page.locator('link[rel=icon]').getAttribute('href')) ?? '');
    await member.post('/mark_all_as_read');
    await until(async () => !(await page.title()).startsWith('('));
    await owner.post('/messages', { type: 'stream', to: 'general', topic: 'lunch', content: 'soup' });
    await owner.post('/messages', { type: 'stream', to: 'general', topic: 'lunch', content: '@**Max Member** soup' });
    await owner.post('/messages', { type: 'private', to: JSON.stringify([member.email]), content: 'soup?' });
    await until(async () => (await page.title()).startsWith('(3) '));
    expect(await icon()).toContain('>3</text>');
    const count = page.getByRole('combobox', { name: 'Number in the title and on the icon' });
    await count.selectOption('Private messages and mentions');
    await until(async () => (await page.title()).startsWith('(2) '));
    expect(await icon()).toContain('>2</text>');
    await count.selectOption('No number');
    await until(async () => !(await page.title()).startsWith('('));
    expect(await icon()).not.toContain('</text>');
  });

  test('On a telephone each row names its boxes, and nothing is cut off', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    const table = page.getByRole('region', { name: 'What you are told of' });
    await table.getByText('Push', { exact: true }).last().waitFor();
    expect(await table.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
  });
});
