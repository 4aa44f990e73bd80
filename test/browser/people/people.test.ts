import { axeFindings } from '../../support/browser/axe';
import { hasBrowser, openBrowser, say, signInAs, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { openMailedCluster, PASSWORD, tokenIn, type MailedCluster } from '../../support/chat/mailed';
import { startWorkers } from '../../support/kernel/workers';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('Newcomers, invitations, statuses, cards and groups in a browser', () => {
  let all: MailedCluster;
  let browser: TestBrowser;
  let owner: TestPage;
  let member: TestPage;

  beforeAll(async () => {
    all = await openMailedCluster();
    await startWorkers(all.cluster, 'chat-welcomes');
    browser = await openBrowser();
    owner = await browser.page();
    // In another time zone.
    member = await browser.page({ timezoneId: 'Asia/Tokyo' });
    const { url } = all.node;
    await Promise.all([signInAs(owner, url, 'Olive Owner'), signInAs(member, url, 'Max Member')]);
  });
  afterAll(async () => {
    await browser.close();
    await all.close();
  });

  const open = (page: TestPage, path: string) => page.evaluate((to) => history.pushState(null, '', to), path);
  /** Of its own, so that no message there continues another and shows no name. */
  const topic = '/stream/1/topic/statuses';

  test('An invited person joins by the page, chooses streams and finds the history and a welcome', async () => {
    const { stream_id: id } = (await all.people.owner.get('/get_stream_id', { stream: 'general' })).body;
    const before = { type: 'stream', to: 'general', topic: 'people', content: 'written before Nora came' };
    await all.people.member.post('/messages', before);
    await all.people.owner.post('/invites', { invitee_emails: 'nora@example.net', stream_ids: `[${id}]` });
    const nora = await browser.page();
    await nora.goto(`${all.node.url}/join/${tokenIn(await all.mailTo('nora@example.net'), 'join')}`);
    await nora.getByRole('heading', { name: 'Join Example Organization' }).waitFor();
    await nora.getByLabel('Your name').fill('Nora New');
    await nora.getByLabel('New password').fill('short');
    await nora.getByRole('button', { name: 'Join' }).click();
    await nora.getByRole('alert').waitFor();
    expect(await nora.getByLabel('Your name').inputValue()).toBe('Nora New');
    await nora.getByLabel('New password').fill(PASSWORD);
    await nora.getByRole('button', { name: 'Join' }).click();
    await nora.getByRole('heading', { name: 'Welcome to Example Organization' }).waitFor();
    expect(await nora.getByRole('checkbox', { name: 'general' }).isChecked()).toBe(true);
    expect(await axeFindings(nora)).toEqual([]);
    await nora.getByRole('button', { name: 'Go to the chat' }).click();
    await nora.getByRole('main').getByRole('link', { name: 'people' }).click();
    await nora.getByText('written before Nora came').first().waitFor();
    await open(nora, '/private');
    await nora.getByText('Welcome to Example Organization!').first().waitFor();
    expect(nora.troubles).toEqual([]);
  });

  test('A member invites by mail and by a link, and revokes it', async () => {
    await open(member, '/settings/invitations');
    await member.getByRole('textbox', { name: 'Email addresses' }).fill('ben@example.net');
    await member.getByRole('button', { name: 'Send invitations' }).click();
    const list = member.getByRole('list', { name: 'Open invitations' });
    await list.getByText('ben@example.net').waitFor();
    await member.getByRole('textbox', { name: 'How many people' }).fill('5');
    await member.getByRole('button', { name: 'Create a link' }).click();
    const link = list.getByRole('listitem').filter({ hasText: '0 of 5 joined' });
    await link.getByRole('button', { name: 'Revoke' }).click();
    await link.waitFor({ state: 'detached' });
    expect(await axeFindings(member)).toEqual([]);
  });

  test('A status with an emoji and an end shows beside the name and on the card', async () => {
    await Promise.all([open(owner, topic), open(member, topic)]);
    await say(member, 'look at my status');
    await member.getByTitle('Settings and more').click();
    await member.getByRole('menuitem', { name: 'Set a status' }).click();
    const form = member.getByRole('dialog', { name: 'Set a status' });
    await form.getByRole('button', { name: 'In a meeting' }).click();
    expect(await axeFindings(member)).toEqual([]);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await member.getByTitle('Settings and more').getByRole('img', { name: 'In a meeting' }).waitFor();
    const message = owner.getByRole('article').filter({ hasText: 'look at my status' });
    await message.getByRole('img', { name: 'In a meeting' }).first().waitFor();
    await message.getByRole('button', { name: 'Max Member', exact: true }).click();
    const card = owner.getByRole('dialog', { name: 'About Max Member' });
    await card.getByText('In a meeting').waitFor();
    await card.getByText('Local time').waitFor();
    expect(await axeFindings(owner)).toEqual([]);
    await owner.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
  });

  test('The card mentions its person in the message that is being written', async () => {
    const message = owner.getByRole('article').filter({ hasText: 'look at my status' });
    await message.getByRole('button', { name: 'Max Member', exact: true }).click();
    await owner.getByRole('button', { name: 'Mention', exact: true }).click();
    const box = owner.getByRole('textbox', { name: 'Text of the message' });
    await until(
      () => box.inputValue(),
      (text) => text.includes('@**Max Member**'),
    );
    await box.fill('');
  });

  test('A group gets people and other groups, and everybody sees it', async () => {
    await Promise.all([open(owner, '/settings/groups'), open(member, '/settings/groups')]);
    for (const name of ['backend', 'everything']) {
      await owner.getByRole('textbox', { name: 'Group name' }).last().fill(name);
      await owner.getByRole('button', { name: 'Create the group' }).click();
      await owner.getByRole('link', { name: `Details of ${name}` }).waitFor();
    }
    await owner.getByRole('link', { name: 'Details of everything' }).click();
    await owner.waitForURL(/\/settings\/groups\/\d+$/);
    const address = owner.url();
    await owner.getByRole('combobox', { name: 'Add a person' }).fill('Max');
    await owner.getByRole('option', { name: 'Max Member' }).click();
    const members = owner.getByRole('list', { name: 'Members of everything' });
    await members.getByText('Max Member').waitFor();
    await owner.getByRole('combobox', { name: 'Add a group' }).fill('backend');
    await owner.getByRole('option', { name: 'backend' }).click();
    await members.getByText('Everybody in backend').waitFor();
    expect(await axeFindings(owner)).toEqual([]);
    await member.goto(address);
    await member.getByRole('list', { name: 'Members of everything' }).getByText('Max Member').waitFor();
    await member.getByRole('button', { name: 'Leave' }).click();
    await members.getByText('Max Member').waitFor({ state: 'detached' });
    await member.getByRole('button', { name: 'Everybody in backend' }).click();
    await member.getByRole('heading', { name: 'backend' }).waitFor();
    await member.getByRole('link', { name: 'All groups' }).click();
    await member.getByRole('link', { name: 'Details of everything' }).waitFor();
    await open(member, '/settings/groups/987654321');
    await member.getByText('There is no such group.').waitFor();
  });

  test('A mention of a group opens its card, with the people of the groups within it', async () => {
    const { user_groups: groups } = (await all.people.owner.get('/user_groups')).body as {
      user_groups: readonly { id: number; name: string }[];
    };
    const backend = groups.find(({ name }) => name === 'backend')!;
    await all.people.owner.post(`/user_groups/${backend.id}/members`, { add: `[${all.people.member.id}]` });
    await open(owner, topic);
    await say(owner, 'please look, @*everything*');
    const mention = owner.getByRole('article').filter({ hasText: 'please look' }).getByText('@everything');
    await mention.click();
    const card = owner.getByRole('dialog', { name: 'About everything' });
    await card.getByText('2 people').waitFor();
    expect(await axeFindings(owner)).toEqual([]);
    await card.getByRole('button', { name: 'Max Member' }).click();
    const person = owner.getByRole('dialog', { name: 'About Max Member' });
    await person.getByRole('button', { name: 'everything' }).waitFor();
    await person.getByRole('button', { name: 'backend' }).click();
    await owner.getByRole('dialog', { name: 'About backend' }).getByText('2 people').waitFor();
    await owner.keyboard.press('Escape');
  });

  test('An alert word is marked in the messages of others, and can be removed', async () => {
    await open(member, '/settings/words');
    await member.getByRole('textbox', { name: 'Word or words' }).fill('deadline');
    await member.getByRole('button', { name: 'Add', exact: true }).click();
    await member.getByRole('button', { name: 'Remove deadline' }).waitFor();
    await all.people.owner.post('/messages', {
      type: 'stream',
      to: 'general',
      topic: 'statuses',
      content: 'The *Deadline*, not the deadlines',
    });
    await open(member, topic);
    const marks = member.getByRole('article').filter({ hasText: 'not the deadlines' }).locator('.alert-word');
    await until(async () => (await marks.allTextContents()).join() === 'Deadline');
    await open(member, '/settings/words');
    await member.getByRole('button', { name: 'Remove deadline' }).click();
    await member.getByRole('button', { name: 'Remove deadline' }).waitFor({ state: 'detached' });
    expect(owner.troubles).toEqual([]);
    expect(member.troubles).toEqual([]);
  });
});
