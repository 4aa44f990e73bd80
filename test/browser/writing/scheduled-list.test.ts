import {
  hasBrowser,
  messageBox,
  openBrowser,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../../support/browser/browser';
import { chooseTime, listed, scheduledEntry } from '../../support/browser/scheduled';
import { userOf, type TestUser } from '../../support/chat/chat';
import { inSeconds, makeDue, remind, schedule } from '../../support/chat/scheduled';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { startWorkers } from '../../support/kernel/workers';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('The list of what is scheduled', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let member: TestUser;
  let owner: TestUser;
  /** Two browsers of one person. */
  let desk: TestPage;
  let couch: TestPage;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    await startWorkers(cluster, 'chat-scheduled');
    browser = await openBrowser();
    [member, owner] = [await userOf(node, 'member'), await userOf(node, 'owner')];
    await member.patch('/settings/display', { timezone: 'UTC' });
    [desk, couch] = [await browser.page(), await browser.page()];
    await Promise.all([desk, couch].map((page) => signInAs(page, node.url, 'Max Member')));
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const later = (topic: string, content: string, at?: number) => schedule(member, { streamId: 1, topic }, content, at);
  const show = (page: TestPage, path: string) => page.evaluate((to) => history.pushState(null, '', to), path);
  const conversation = (page: TestPage, name: string) => page.getByRole('region', { name, exact: true });
  const row = (page: TestPage, text: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: text });
  const press = (page: TestPage, text: string, name: string) => row(page, text).getByRole('button', { name }).click();
  const sentIn = async (topic: string) =>
    (await node.kernel.mysql('chat_messages').where({ topic }).pluck('content')) as string[];

  test('Messages stand by conversation, as they will look, in every browser', async () => {
    await later('plans', 'the *first*', inSeconds(3600));
    await member.post('/scheduled_messages', {
      type: 'private',
      to: [owner.id],
      content: 'for you alone',
      scheduled_delivery_timestamp: Date.UTC(2040, 4, 6, 7, 8) / 1000,
    });
    await later('plans', 'the second', inSeconds(7200));
    for (const page of [desk, couch]) {
      await scheduledEntry(page).getByRole('img', { name: '3' }).waitFor();
      await scheduledEntry(page).click();
      const plans = conversation(page, '#general › plans').getByRole('listitem');
      await until(async () => (await plans.count()) === 2);
      expect(await plans.first().locator('em').textContent()).toBe('first');
      await conversation(page, 'Olive Owner').getByText('for you alone').waitFor();
    }
    await conversation(desk, 'Olive Owner')
      .getByText(/6 May 2040 at 07:08/)
      .waitFor();
  });

  test('Text and time are changed, which every browser shows', async () => {
    await press(desk, 'the second', 'Edit the text');
    const editor = desk.getByRole('textbox', { name: 'Edit the text' });
    await desk.route('**/api/v1/scheduled_messages/*', (route) => route.abort());
    await editor.fill('the **third**');
    await desk.getByRole('button', { name: 'Save' }).click();
    await desk.getByRole('status').getByText('The server cannot be reached.').waitFor();
    expect(await editor.inputValue()).toBe('the **third**');
    await desk.unroute('**/api/v1/scheduled_messages/*');
    await editor.press('Control+Enter');
    await editor.waitFor({ state: 'detached' });
    for (const page of [desk, couch]) await row(page, 'the third').locator('strong').waitFor();

    await press(desk, 'the third', 'Change the time');
    await chooseTime(desk, '2041-02-03T04:05', 'Save');
    await desk.getByRole('dialog').waitFor({ state: 'detached' });
    await row(desk, 'the third')
      .getByText(/3 February 2041 at 04:05/)
      .waitFor();
    const third = (await listed(member)).find(({ content }) => content === 'the **third**');
    expect(third!.scheduled_delivery_timestamp).toBe(Date.UTC(2041, 1, 3, 4, 5) / 1000);
  });

  test('One is sent now, once, though the clock of the browser is wrong', async () => {
    await desk.evaluate(() => (Date.now = () => 4_000_000_000_000));
    await press(desk, 'the third', 'Send now');
    for (const page of [desk, couch]) await row(page, 'the third').waitFor({ state: 'detached' });
    expect(await sentIn('plans')).toEqual(['the **third**']);
    await desk.reload();
    await row(desk, 'the first').waitFor();
  });

  test('One is cancelled, which can be taken back', async () => {
    await press(desk, 'the first', 'Do not send');
    for (const page of [desk, couch]) await row(page, 'the first').waitFor({ state: 'detached' });
    await desk.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    for (const page of [desk, couch]) await row(page, 'the first').waitFor();
    await press(couch, 'for you alone', 'Do not send');
    await row(desk, 'for you alone').waitFor({ state: 'detached' });
  });

  test('What could not be sent says so at once, and is sent by another time', async () => {
    const restrict = (only: boolean) => owner.patch('/streams/1', { is_announcement_only: only });
    await restrict(true);
    await makeDue(node.kernel);
    for (const page of [desk, couch]) {
      await row(page, 'the first')
        .getByText(/^Not sent: /)
        .waitFor();
      await row(page, 'the first').getByText('Only organization administrators can send to this stream.').waitFor();
      await scheduledEntry(page).getByRole('img', { name: '1 message was not sent' }).waitFor();
    }
    // The notice about it leads here.
    await show(desk, '/private');
    await desk.getByRole('link', { name: 'View scheduled messages' }).click();
    await desk.getByRole('heading', { level: 1, name: 'Scheduled' }).waitFor();
    await restrict(false);
    // A new text alone would wait for no time.
    await press(desk, 'the first', 'Edit the text');
    await desk.getByRole('textbox', { name: 'Edit the text' }).fill('the *first* at last');
    await desk.getByRole('main').getByRole('button', { name: 'Send now' }).click();
    await desk.getByText('Nothing is scheduled').waitFor();
    await scheduledEntry(couch).waitFor({ state: 'detached' });
    expect((await sentIn('plans')).toSorted()).toEqual(['the **third**', 'the *first* at last']);
  });

  test('Somebody is reminded of a message, with their note, at a time that they choose in its menu', async () => {
    await owner.post('/messages', { type: 'stream', to: 'general', topic: 'duties', content: 'water the plants' });
    await show(desk, '/stream/1/topic/duties');
    const article = desk.getByRole('article').filter({ hasText: 'water the plants' });
    await article.focus();
    await desk.keyboard.press('End');
    await article.getByRole('button', { name: 'More actions' }).click();
    await desk.getByRole('menuitem', { name: 'Remind me…' }).click();
    const dialog = desk.getByRole('dialog', { name: 'Remind me of this message' });
    await dialog.getByLabel('Note to yourself').fill('before noon');
    await dialog.getByRole('button', { name: 'In one hour' }).click();
    await desk
      .getByRole('status')
      .getByText(/^You will be reminded on /)
      .waitFor();
    for (const page of [desk, couch]) await scheduledEntry(page).getByRole('img', { name: '1' }).waitFor();
    await makeDue(node.kernel);
    await scheduledEntry(desk).waitFor({ state: 'detached' });
    await show(desk, '/private');
    const notice = desk.getByRole('article').filter({ hasText: 'You requested a reminder' });
    await notice.getByText('before noon').waitFor();
    await notice.getByText('water the plants').waitFor();
  });

  test('Reminders are listed, changed and cancelled for every browser', async () => {
    const { id } = (await node.kernel.mysql('chat_messages').where({ topic: 'duties' }).first('id')) as { id: number };
    await remind(member, id, 'again');
    await Promise.all([desk, couch].map((page) => show(page, '/scheduled')));
    const reminders = conversation(desk, 'Reminders').getByRole('listitem');
    await reminders.getByText('again').waitFor();
    await press(desk, 'again', 'Change the reminder');
    const dialog = desk.getByRole('dialog', { name: 'Change the reminder' });
    expect(await dialog.getByLabel('Note to yourself').inputValue()).toBe('again');
    await dialog.getByLabel('Note to yourself').fill('once more');
    await chooseTime(desk, '2041-02-03T04:05', 'Save');
    await dialog.waitFor({ state: 'detached' });
    for (const page of [desk, couch]) {
      await row(page, 'once more')
        .getByText(/3 February 2041 at 04:05/)
        .waitFor();
    }
    // The note alone, at the time that it has.
    await press(couch, 'once more', 'Change the reminder');
    await couch.getByRole('dialog').getByLabel('Note to yourself').fill('again');
    await couch.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await row(desk, 'again')
      .getByText(/3 February 2041 at 04:05/)
      .waitFor();
    await press(couch, 'again', 'Cancel the reminder');
    for (const page of [desk, couch]) await page.getByText('Nothing is scheduled').waitFor();
    expect(await messageBox(desk).count()).toBe(0);
    expect(desk.troubles.concat(couch.troubles)).toEqual([]);
  });
});
