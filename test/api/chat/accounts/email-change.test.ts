import { openMailedCluster, openPage, PUBLIC_URL, sendForm, type MailedCluster } from '../../../support/chat/mailed';
import { callerOf, refusal, type Caller } from '../../../support/chat/people';
import { basicHeader } from '../../../support/http/client';
import { publishedBy } from '../../../support/chat/published';

let all: MailedCluster;

beforeAll(async () => {
  all = await openMailedCluster();
});
afterAll(() => all.close());

const LINK = new RegExp(`${PUBLIC_URL}(/confirm_email/[\\w-]+)`);
const ask = (by: Caller, email: string) => by.patch('/settings', { email });

async function linkTo(email: string, count = 1): Promise<string> {
  const [, path] = LINK.exec((await all.mailTo(email, count)).text)!;
  return path!;
}

test('A new address is confirmed by a mail to it, everybody learns it, and the old address gets a mail', async () => {
  const { member } = all.people;
  expect((await ask(member, 'max@example.net')).body).toMatchObject({
    account_email: 'Check your email for a confirmation link.',
  });
  expect((await member.get('/users/me')).body.email).toBe('member@example.com');
  const path = await linkTo('max@example.net');
  expect(await openPage(all.node, path)).toMatchObject({ status: 200, title: 'Use max@example.net from now on' });
  const published = await publishedBy(all.node.kernel, async () => {
    expect(await sendForm(all.node, path, {})).toMatchObject({ status: 200, title: 'The address is changed' });
  });
  expect(published[0]).toEqual({
    to: 'everyone',
    event: {
      type: 'realm_user',
      op: 'update',
      person: { user_id: member.id, email: 'member@example.com', new_email: 'max@example.net' },
    },
  });
  expect((await all.mailTo('member@example.com')).header).toContain('was changed');
  const { body } = await all.node.call('/api/v1/fetch_api_key', {
    form: { username: 'max@example.net', password: 'demo' },
  });
  expect(body.api_key).toMatch(/^\w{32}$/);
  expect(await member.get('/users/me')).toMatchObject({ status: 401 });
  // The link works once.
  expect(await openPage(all.node, path)).toMatchObject({ status: 400, text: expect.stringContaining('is invalid') });
});

test('An address of somebody else, a wrong one, and changes where they are disabled are refused', async () => {
  const { other, owner } = all.people;
  expect(await ask(other, 'guest@example.com')).toMatchObject({ status: 400 });
  expect(await ask(other, 'nonsense')).toMatchObject({ status: 400 });
  await owner.patch('/realm', { email_changes_disabled: 'true' });
  expect(await ask(other, 'ola@example.net')).toMatchObject(
    refusal('Email address changes are disabled in this organization.'),
  );
  await owner.patch('/realm', { email_changes_disabled: 'false' });
});

test('A link does not work again once the address is back, nor where changes were disabled meanwhile', async () => {
  const { guest, owner } = all.people;
  await ask(guest, 'away@example.net');
  const away = await linkTo('away@example.net');
  await owner.patch('/realm', { email_changes_disabled: 'true' });
  expect(await openPage(all.node, away, {})).toMatchObject({ text: expect.stringContaining('changes are disabled') });
  await owner.patch('/realm', { email_changes_disabled: 'false' });
  expect((await openPage(all.node, away, {})).status).toBe(200);
  const form = { username: 'away@example.net', password: 'demo' };
  const { body } = await all.node.call('/api/v1/fetch_api_key', { form });
  // That the address was changed.
  await all.mailTo('guest@example.com');
  await ask(await callerOf(all.node, form.username, basicHeader(form.username, body.api_key)), 'guest@example.com');
  expect((await openPage(all.node, await linkTo('guest@example.com', 2), {})).status).toBe(200);
  expect(await guest.get('/users/me')).toMatchObject({ status: 200 });
  expect((await openPage(all.node, away, {})).status).toBe(400);
});

test('A new password ends links to new addresses, and made-up links are refused', async () => {
  const { other } = all.people;
  await ask(other, 'ola@example.net');
  const path = await linkTo('ola@example.net');
  expect((await openPage(all.node, path)).status).toBe(200);
  await other.patch('/settings', { old_password: 'demo', new_password: 'quite another battery' });
  expect((await openPage(all.node, path)).status).toBe(400);
  const sealed = all.node.kernel.secrets.encrypt(JSON.stringify({ purpose: 'other', userId: other.id }));
  const other_ = Buffer.from(sealed, 'base64').toString('base64url');
  for (const token of ['x'.repeat(43), other_]) {
    expect((await openPage(all.node, `/confirm_email/${token}`, {})).status).toBe(400);
  }
  expect((await callerOf(all.node, 'other@example.com', other.headers)).id).toBe(other.id);
});
