import { hasBrowser, openBrowser, say, signInAs, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { openMailedCluster, PASSWORD, PUBLIC_URL, tokenIn, type MailedCluster } from '../../support/chat/mailed';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Of the clocks of browser and server, and of a slow machine. */
const TOLERANCE = 600;

inBrowser('What people say and decide about themselves in a browser', () => {
  let all: MailedCluster;
  let browser: TestBrowser;
  let owner: TestPage;
  let member: TestPage;

  beforeAll(async () => {
    all = await openMailedCluster();
    browser = await openBrowser();
    owner = await browser.page();
    member = await browser.page();
    const { url } = all.node;
    await Promise.all([signInAs(owner, url, 'Olive Owner'), signInAs(member, url, 'Max Member')]);
  });
  afterAll(async () => {
    await browser.close();
    await all.close();
  });

  const open = (page: TestPage, path: string) => page.evaluate((to) => history.pushState(null, '', to), path);
  const choose = async (field: string, option: string): Promise<void> => {
    await member.getByRole('combobox', { name: field }).first().click();
    await member.getByRole('option', { name: option, exact: true }).click();
  };
  const statusForm = async () => {
    await member.getByTitle('Settings and more').click();
    await member.getByRole('menuitem', { name: 'Set a status' }).click();
    const form = member.getByRole('dialog', { name: 'Set a status' });
    await form.waitFor();
    return form;
  };

  test('A status gets its end and its emoji in the form, which says so later, and clears it', async () => {
    const topic = '/stream/1/topic/status';
    await Promise.all([open(owner, topic), open(member, topic)]);
    await say(member, 'see my status');
    const message = owner.getByRole('article').filter({ hasText: 'see my status' });
    const form = await statusForm();
    await form.getByRole('textbox', { name: 'What are you doing?' }).fill('Night train');
    await form.getByRole('button', { name: 'Emoji of the status' }).click();
    await member.getByRole('searchbox', { name: 'Search emoji' }).fill('rocket');
    await member.getByRole('button', { name: 'rocket', exact: true }).click();
    await choose('Clear it', 'In an hour');
    await form.getByRole('button', { name: 'Save' }).click();
    await message.getByRole('img', { name: 'Night train' }).first().waitFor();
    const { user_status: statuses } = (
      await all.people.owner.post('/register', { fetch_event_types: '["user_status"]' })
    ).body as { user_status: Record<string, { emoji_name: string; scheduled_end_time: number }> };
    const { emoji_name, scheduled_end_time: end } = statuses[String(all.people.member.id)]!;
    expect(emoji_name).toBe('rocket');
    expect(Math.abs(end - Date.now() / 1000 - HOUR)).toBeLessThan(TOLERANCE);
    const again = await statusForm();
    await again.getByText('The present status ends:').waitFor();
    await again.getByRole('button', { name: 'Clear the status' }).click();
    await message.getByRole('img', { name: 'Night train' }).waitFor({ state: 'detached' });
  });

  test('An invitation link is valid for as long as its maker chose', async () => {
    await open(member, '/settings/invitations');
    const form = member.locator('form').filter({ has: member.getByRole('textbox', { name: 'How many people' }) });
    await form.getByRole('combobox', { name: 'Valid for' }).click();
    await member.getByRole('option', { name: 'one day', exact: true }).click();
    await form.getByRole('button', { name: 'Create a link' }).click();
    const list = member.getByRole('list', { name: 'Open invitations' });
    await list.getByText(/until .*0 joined/).waitFor();
    const invites = async () =>
      (await all.people.member.get('/invites')).body.invites as { expiry_date: number | null }[];
    const [{ expiry_date: end } = { expiry_date: null }] = await invites();
    expect(Math.abs(end! - Date.now() / 1000 - DAY)).toBeLessThan(TOLERANCE);
    await form.getByRole('combobox', { name: 'Valid for' }).click();
    await member.getByRole('option', { name: 'until I revoke it', exact: true }).click();
    await form.getByRole('button', { name: 'Create a link' }).click();
    await until(async () => (await invites()).some((each) => each.expiry_date === null));
    await until(async () => (await list.getByRole('listitem').filter({ hasNotText: 'until' }).count()) === 1);
  });

  test('Who does not want to be seen reading is no longer among the readers of a message', async () => {
    const { owner: boss, member: max } = all.people;
    const { id } = (await boss.post('/messages', { type: 'stream', to: 'general', topic: 'seen', content: 'seen?' }))
      .body;
    await max.post('/messages/flags', { messages: `[${id}]`, op: 'add', flag: 'read' });
    const readers = async (): Promise<number[]> => (await boss.get(`/messages/${id}/read_receipts`)).body.user_ids;
    expect(await readers()).toContain(max.id);
    await open(member, '/settings/account');
    const choice = member.getByRole('switch', { name: 'Let others see what I have read' });
    await choice.press('Space');
    await until(async () => !(await readers()).includes(max.id));
    await open(owner, '/stream/1/topic/seen');
    const message = owner.getByRole('article').filter({ hasText: 'seen?' });
    await message.hover();
    await message.getByRole('button', { name: 'More actions' }).click();
    await owner.getByRole('menuitem', { name: 'Read by' }).click();
    await owner.getByRole('dialog').getByText('Nobody has read this message yet.').waitFor();
    expect(await owner.getByRole('dialog').getByRole('button', { name: 'Max Member' }).count()).toBe(0);
    await owner.keyboard.press('Escape');
    await member.reload();
    expect(await choice.isChecked()).toBe(false);
  });

  test('A new address counts once the link in its mail is followed', async () => {
    const form = member.getByRole('textbox', { name: 'New address' });
    await form.fill('max@example.net');
    await form.press('Enter');
    await member.getByText('Look at your mail: a link there confirms the address.').waitFor();
    const { text } = await all.mailTo('max@example.net');
    const [, path] = new RegExp(`${PUBLIC_URL}(/confirm_email/[\\w-]+)`).exec(text)!;
    const mail = await browser.page();
    await mail.goto(all.node.url + path!);
    await mail.getByRole('button', { name: 'Confirm the address' }).click();
    await mail.getByRole('heading', { name: 'The address is changed' }).waitFor();
    await mail.context().close();
    await member.getByText('max@example.net', { exact: true }).waitFor();
    expect(member.troubles).toEqual([]);
  });

  test('A guest is offered only the streams of the invitation, and sees no others', async () => {
    const { stream_id: id } = (await all.people.owner.get('/get_stream_id', { stream: 'test' })).body;
    await all.people.owner.post('/invites', {
      invitee_emails: 'gina@example.net',
      stream_ids: `[${id}]`,
      invite_as: '3',
    });
    const guest = await browser.page();
    await guest.goto(`${all.node.url}/join/${tokenIn(await all.mailTo('gina@example.net'), 'join')}`);
    await guest.getByLabel('Your name').fill('Gina Guest');
    await guest.getByLabel('New password').fill(PASSWORD);
    await guest.getByRole('button', { name: 'Join' }).click();
    await guest.getByRole('heading', { name: 'Welcome to Example Organization' }).waitFor();
    const offered = guest.getByRole('list', { name: 'Streams' }).getByRole('checkbox');
    // Of the public streams: that of the invitation, and the one for new streams.
    expect(await offered.count()).toBe(2);
    expect(await guest.getByRole('checkbox', { name: 'general' }).isChecked()).toBe(true);
    expect(await guest.getByRole('checkbox', { name: 'test' }).isChecked()).toBe(true);
    await guest.getByRole('button', { name: 'Go to the chat' }).click();
    await guest
      .getByRole('navigation', { name: 'Streams and conversations' })
      .getByRole('link', { name: 'test' })
      .waitFor();
    expect(await guest.getByRole('link', { name: 'announcements' }).count()).toBe(0);
    expect([...owner.troubles, ...guest.troubles]).toEqual([]);
  });
});
