import { callerOf, refusal, type Caller } from '../../../support/chat/people';
import { basicHeader } from '../../../support/http/client';
import {
  openMailedCluster,
  openPage,
  PASSWORD,
  PUBLIC_URL,
  sendForm,
  tokenIn,
  type MailedCluster,
} from '../../../support/chat/mailed';
import { publishedBy } from '../../../support/chat/published';
import { until } from '../../../support/until';

let all: MailedCluster;
let streams: Record<string, number>;

beforeAll(async () => {
  all = await openMailedCluster();
  const { subscriptions } = (await all.people.owner.get('/users/me/subscriptions')).body as {
    subscriptions: { name: string; stream_id: number }[];
  };
  streams = Object.fromEntries(subscriptions.map(({ name, stream_id: id }) => [name, id]));
});
afterAll(() => all.close());

const invalid = refusal('This link is invalid, has expired or was used before', { code: 'INVALID_LINK' });

/** The emailed token. */
async function invited(email: string, more: Record<string, string> = {}, by: Caller = all.people.owner) {
  const form = { invitee_emails: email, stream_ids: JSON.stringify([streams['test']]), ...more };
  expect((await by.post('/invites', form)).body).toMatchObject({ result: 'success' });
  return tokenIn(await all.mailTo(email), 'join');
}

const join = (token: string, more: Record<string, string> = {}) =>
  all.node.call('/api/v1/join', { form: { token, full_name: 'Somebody New', password: PASSWORD, ...more } });

async function subscribedTo(email: string, key: string): Promise<string[]> {
  const caller = await callerOf(all.node, email, basicHeader(email, key));
  const { body } = await caller.get('/users/me/subscriptions');
  return (body.subscriptions as { name: string }[]).map(({ name }) => name).sort();
}

describe('Invitations by mail', () => {
  test('Accepting an invitation creates the account with its streams and publishes it to everybody', async () => {
    const token = await invited('new@example.net');
    let answer: Awaited<ReturnType<typeof join>>;
    const published = await publishedBy(all.node.kernel, async () => {
      answer = await join(token, { full_name: ' Nora New ' });
    });
    const { body } = answer!;
    expect(body).toEqual({
      result: 'success',
      msg: '',
      user_id: expect.any(Number),
      email: 'new@example.net',
      api_key: expect.stringMatching(/^\w{32}$/),
    });
    const login = { username: 'new@example.net', password: PASSWORD };
    expect((await all.node.call('/api/v1/fetch_api_key', { form: login })).body.api_key).toBe(body.api_key);
    const me = await callerOf(all.node, 'new@example.net', basicHeader('new@example.net', body.api_key));
    expect((await me.get('/users/me')).body).toMatchObject({ full_name: 'Nora New', is_admin: false, is_guest: false });
    // The stream that announces new streams, besides those of the invitation.
    expect(await subscribedTo('new@example.net', body.api_key)).toEqual(['general', 'test']);
    const types = published.map(({ event }) => event.type);
    expect(types[0]).toBe('realm_user');
    expect(types).toEqual(expect.arrayContaining(['subscription', 'invites_changed']));
  });

  test('An invitation can be used once, even by concurrent requests', async () => {
    const token = await invited('once@example.net');
    const answers = await Promise.all([join(token), join(token), join(token)]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400]);
    for (const { status, body } of answers) if (status !== 200) expect(body).toMatchObject(invalid.body);
    expect(await join(token)).toMatchObject(invalid);
    const rows = await all.node.kernel.mysql('chat_users').where({ email: 'once@example.net' });
    expect(rows).toHaveLength(1);
  });

  test('Joining with one of two invitations to the same address ends both links', async () => {
    const first = await invited('twice@example.net');
    await all.people.member.post('/invites', {
      invitee_emails: 'twice@example.net',
      stream_ids: JSON.stringify([streams['test']]),
    });
    const second = tokenIn(await all.mailTo('twice@example.net', 2), 'join');
    expect(second).not.toBe(first);
    expect((await join(second)).status).toBe(200);
    expect(await join(first)).toMatchObject(invalid);
  });

  test.each([
    ['2', { is_admin: true, is_guest: false }],
    ['3', { is_admin: false, is_guest: true }],
  ])('An invitation with the role %s creates an account of that role', async (role, expected) => {
    const email = `role${role}@example.net`;
    const { body } = await join(await invited(email, { invite_as: role }));
    const me = await callerOf(all.node, email, basicHeader(email, body.api_key));
    expect((await me.get('/users/me')).body).toMatchObject(expected);
  });

  test('An invitation adds private streams only while its author is still subscribed to them', async () => {
    const ids = JSON.stringify([streams['test'], streams['leadership']]);
    const inside = await join(await invited('inside@example.net', { stream_ids: ids }));
    expect(await subscribedTo('inside@example.net', inside.body.api_key)).toContain('leadership');
    const token = await invited('outside@example.net', { stream_ids: ids });
    await all.people.owner.del('/users/me/subscriptions', { subscriptions: '["leadership"]' });
    const outside = await join(token);
    expect(await subscribedTo('outside@example.net', outside.body.api_key)).toEqual(['general', 'test']);
  });

  test('A revoked or expired invitation, or one whose author lost the right to invite, is refused', async () => {
    const { mysql } = all.node.kernel;
    const revoked = await invited('revoked@example.net');
    const { id } = await mysql('chat_invitations').where({ email: 'revoked@example.net' }).first('id');
    await all.people.owner.del(`/invites/${id}`);
    expect(await join(revoked)).toMatchObject(invalid);
    const expired = await invited('expired@example.net');
    const yesterday = { expires_at: mysql.raw('NOW(3) - INTERVAL 1 DAY') };
    await mysql('chat_invitations').where({ email: 'expired@example.net' }).update(yesterday);
    expect(await join(expired)).toMatchObject(invalid);
    const { body } = await join(await invited('author@example.net', { invite_as: '2' }));
    const author = await callerOf(all.node, 'author@example.net', basicHeader('author@example.net', body.api_key));
    const asAdmin = await invited('friend@example.net', { invite_as: '2' }, author);
    const asMember = await invited('mate@example.net', {}, author);
    await all.people.owner.patch(`/users/${author.id}`, { is_admin: 'false' });
    expect(await join(asAdmin)).toMatchObject(invalid);
    await all.people.owner.del(`/users/${author.id}`);
    expect(await join(asMember)).toMatchObject(invalid);
  });

  test('An invitation stays valid after a refused name or password', async () => {
    const token = await invited('picky@example.net');
    expect(await join(token, { password: 'short' })).toMatchObject(refusal('New password is too weak!'));
    expect(await join(token, { full_name: 'x' })).toMatchObject(refusal('Name too short!'));
    expect((await join(token)).status).toBe(200);
  });

  test.each(['', 'x', 'x'.repeat(43), 'ü'.repeat(43), 'x'.repeat(10_000)])(
    'A token that was never mailed is refused (%#)',
    async (token) => {
      expect(await join(token)).toMatchObject({ status: 400 });
    },
  );
});

describe('Reusable links', () => {
  const linked = async (more: Record<string, string> = {}) =>
    (await all.people.owner.post('/invites/multiuse', more)).body.invite_link.slice(
      `${PUBLIC_URL}/join/`.length,
    ) as string;
  const ask = (token: string, email: string) => all.node.call('/api/v1/join/request', { form: { token, email } });

  test('A reusable link mails an invitation of its own to each address, which confirms the address', async () => {
    const link = await linked();
    expect(await join(link)).toMatchObject(invalid);
    for (const name of ['walker', 'runner']) {
      expect((await ask(link, `${name}@example.net`)).body).toEqual({ result: 'success', msg: '' });
      const mail = await all.mailTo(`${name}@example.net`);
      expect(mail.header).toContain('Subject: Confirm your address');
      const { status, body } = await join(tokenIn(mail, 'join'));
      expect(status).toBe(200);
      // Without streams of its own, the link subscribes to the default streams.
      expect(await subscribedTo(`${name}@example.net`, body.api_key)).toEqual(['general']);
    }
  });

  test('A reusable link answers alike for an address with an account, whose owner gets a mail', async () => {
    const answer = await ask(await linked(), 'OTHER@example.com');
    expect(answer.body).toEqual({ result: 'success', msg: '' });
    const mail = await all.mailTo('other@example.com');
    expect(mail.header).toContain('Subject: You have an account');
    expect(mail.text).not.toContain('/join/');
  });

  test('A reusable link mails nobody for an address whose capital letters look like those of an account', async () => {
    const made = { email: 'jürgen@example.net', full_name: 'Jürgen', password: PASSWORD };
    expect((await all.people.owner.post('/users', made)).status).toBe(200);
    expect((await ask(await linked(), 'JÜRGEN@example.net')).status).toBe(200);
    await until(
      () => all.states('JÜRGEN@example.net'),
      (rows) => rows.some(({ error }) => error === 'The address has an account'),
    );
    expect(all.server.taken.flatMap(({ to }) => to).filter((to) => /rgen/i.test(to))).toEqual([]);
  });

  test('A request to join needs a valid address and a reusable link', async () => {
    expect(await ask(await linked(), 'nonsense')).toMatchObject(refusal('Enter a valid email address.'));
    const disguised =
      'The email address has characters that are invisible or look like others. Write it in plain letters.';
    expect(await ask(await linked(), 'ⓦalker@example.net')).toMatchObject(refusal(disguised));
    expect(await ask(await invited('personal@example.net'), 'a@example.net')).toMatchObject(invalid);
    expect(await ask('x'.repeat(43), 'a@example.net')).toMatchObject(invalid);
  });
});

test('An organisation that restricts email domains refuses invitations and joins from other domains', async () => {
  const { owner } = all.people;
  const early = await invited('early@example.net');
  await owner.post('/realm/domains', { domain: 'example.org', allow_subdomains: 'false' });
  await owner.patch('/realm', { emails_restricted_to_domains: 'true' });
  const emails = 'in@example.org,out@example.net,a+b@example.org';
  const form = { invitee_emails: emails, stream_ids: JSON.stringify([streams['test']]) };
  expect((await owner.post('/invites', form)).body).toMatchObject({
    code: 'INVITATION_FAILED',
    errors: [
      ['out@example.net', 'Outside your domain.'],
      ['a+b@example.org', 'Email addresses containing + are not allowed.'],
    ],
    sent_invitations: false,
  });
  const outside = (email: string) => refusal(`Email '${email}' not allowed in this organization`);
  expect(await join(early)).toMatchObject(outside('early@example.net'));
  const link = (await owner.post('/invites/multiuse')).body.invite_link.slice(`${PUBLIC_URL}/join/`.length) as string;
  const ask = { form: { token: link, email: 'walker@example.net' } };
  expect(await all.node.call('/api/v1/join/request', ask)).toMatchObject(outside('walker@example.net'));
  await owner.patch('/realm', { emails_restricted_to_domains: 'false' });
  expect((await join(early)).status).toBe(200);
});

describe('Pages behind the links', () => {
  test('The join page names the organisation, and keeps the name when the password is refused', async () => {
    const path = `/join/${await invited('page@example.net')}`;
    const shown = await openPage(all.node, path);
    expect(shown).toMatchObject({ status: 200, title: expect.stringMatching(/^Join /) });
    expect(shown.text).toContain('page@example.net');
    const weak = await sendForm(all.node, path, { full_name: 'Paige One', password: 'short' });
    expect(weak).toMatchObject({ status: 400, title: shown.title, fields: ['full_name', 'password'] });
    expect(weak.text).toContain(`<title>${shown.title}</title>`);
    expect(weak.text).toContain('New password is too weak!');
    expect(weak.text).toContain('value="Paige One"');
    const wrong = await openPage(all.node, path, { full_name: '"><b>Paige', password: PASSWORD });
    expect(wrong.text).toContain('value="&quot;&gt;&lt;b&gt;Paige"');
    expect((await openPage(all.node, path)).status).toBe(200);
  });

  test('Joining by the page signs the browser in, without a key, and only from this server itself', async () => {
    const path = `/join/${await invited('signed-in@example.net')}`;
    const form = { full_name: 'Sig Ned', password: PASSWORD };
    const elsewhere = await all.node.call(path, { form, headers: { 'Sec-Fetch-Site': 'cross-site' } });
    expect(elsewhere.status).toBe(403);
    const joined = await all.node.call(path, { form });
    expect(joined).toMatchObject({ status: 303 });
    expect(joined.headers.get('location')).toBe('/welcome');
    expect(joined.text).not.toMatch(/\w{32}/);
    const cookie = joined.headers.getSetCookie().map((each) => each.split(';')[0]);
    const session = await all.node.call('/web/session', { headers: { Cookie: cookie.join('; ') } });
    expect(session.body).toMatchObject({ signed_in: true, email: 'signed-in@example.net' });
    expect(await openPage(all.node, path)).toMatchObject({ status: 400, text: expect.stringContaining('is invalid') });
  });

  test('The page of a reusable link asks for an address and mails a link to it', async () => {
    const link = (await all.people.owner.post('/invites/multiuse')).body.invite_link as string;
    const sent = await sendForm(all.node, new URL(link).pathname, { email: 'by-page@example.net' });
    expect(sent).toMatchObject({ status: 200, title: 'Look at your mail' });
    expect(tokenIn(await all.mailTo('by-page@example.net'), 'join')).toHaveLength(43);
  });
});

test('The author of an invitation is notified when it is accepted', async () => {
  const { headers } = all.people.member;
  await join(await invited('told@example.net', {}, all.people.member), { full_name: 'Told One' });
  const query = { narrow: '[["is","private"]]', anchor: '10000000000000000', num_before: '5', num_after: '0' };
  const { body } = await until(
    () => all.node.call('/api/v1/messages', { query, headers }),
    (answer) => answer.text.includes('told@example.net'),
  );
  expect(body.messages.at(-1)).toMatchObject({
    sender_full_name: 'Notification Bot',
    content: '<p>Told One (<code>told@example.net</code>) has accepted your invitation.</p>',
  });
});
