import { refusal } from '../../../support/chat/people';
import { openMailedCluster, PUBLIC_URL, tokenIn, type MailedCluster } from '../../../support/chat/mailed';
import { publishedBy } from '../../../support/chat/published';

let all: MailedCluster;
let general: number;

beforeAll(async () => {
  all = await openMailedCluster({ INVITATIONS_PER_DAY: '40' });
  general = (await all.people.owner.get('/get_stream_id', { stream: 'general' })).body.stream_id;
});
afterAll(() => all.close());

type Fields = Record<string, string>;

const invite = (emails: string, more: Fields = {}, by: 'member' | 'owner' | 'guest' | 'helper' = 'member') =>
  all.people[by].post('/invites', { invitee_emails: emails, stream_ids: `[${general}]`, ...more });
const listed = async () => (await all.people.owner.get('/invites')).body.invites as Record<string, unknown>[];
const inviteOf = async (email: string) =>
  (await listed()).find((each) => each['email'] === email) as Record<string, unknown> & { id: number };

describe('POST /invites', () => {
  test('POST /invites mails each address its own link and publishes invites_changed to administrators and its author', async () => {
    const written = 'ann@example.net, Ben <ben@example.net>\n<cid@example.net>,,ann@EXAMPLE.net';
    let answer: Awaited<ReturnType<typeof invite>>;
    const published = await publishedBy(all.node.kernel, async () => {
      answer = await invite(written);
    });
    expect(answer!).toMatchObject({ status: 200, body: { result: 'success', msg: '' } });
    const { owner, member } = all.people;
    expect(published).toEqual([{ to: [owner.id, member.id], event: { type: 'invites_changed' } }]);
    const mails = await Promise.all(['ben', 'cid'].map((name) => all.mailTo(`${name}@example.net`)));
    expect(new Set(mails.map((mail) => tokenIn(mail, 'join'))).size).toBe(2);
    expect(mails[0]).toMatchObject({ from: 'chat@example.org', to: ['ben@example.net'] });
    expect(mails[0]!.header).toContain('Subject: Max Member invites you to');
    expect(mails[0]!.header).toContain('Auto-Submitted: auto-generated');
    expect(mails[0]!.text).toContain('Max Member (member@example.com) invites you');
    const emails = (await listed()).map(({ email }) => email);
    expect(emails).toHaveLength(3);
    expect(emails).toEqual(expect.arrayContaining(['ben@example.net', 'cid@example.net']));
  });

  test('Members invite where the organisation allows it, and only administrators invite administrators', async () => {
    expect(await invite('x@example.net', {}, 'guest')).toMatchObject(refusal('Not allowed for guest users'));
    expect(await invite('x@example.net', {}, 'helper')).toMatchObject(
      refusal('This endpoint does not accept bot requests.'),
    );
    expect(await invite('x@example.net', { invite_as: '2' })).toMatchObject(
      refusal('Must be an organization administrator'),
    );
    expect(await invite('x@example.net', { invite_as: '4' })).toMatchObject(
      refusal('Must be invited as an valid type of user'),
    );
    expect((await invite('boss@example.net', { invite_as: '2' }, 'owner')).status).toBe(200);
    expect(await inviteOf('boss@example.net')).toMatchObject({ invited_as: 2, ref: 'owner@example.com' });
    await all.people.owner.patch('/realm', { invite_by_admins_only: 'true' });
    expect(await invite('x@example.net')).toMatchObject(
      refusal('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' }),
    );
    expect((await invite('y@example.net', {}, 'owner')).status).toBe(200);
    await all.people.owner.patch('/realm', { invite_by_admins_only: 'false' });
  });

  test('POST /invites without addresses, without streams or with a hidden stream is refused', async () => {
    for (const nothing of ['', ' , ,\n']) {
      expect(await invite(nothing)).toMatchObject(refusal('You must specify at least one email address.'));
    }
    expect(await invite('x@example.net', { stream_ids: '[]' })).toMatchObject(
      refusal('You must specify at least one stream for invitees to join.'),
    );
    const { subscriptions } = (await all.people.owner.get('/users/me/subscriptions')).body as {
      subscriptions: { name: string; stream_id: number }[];
    };
    const hidden = subscriptions.find(({ name }) => name === 'leadership')!.stream_id;
    for (const id of [hidden, 987_654]) {
      expect(await invite('x@example.net', { stream_ids: `[${general},${id}]` })).toMatchObject(
        refusal(`Stream does not exist with id: ${id}. No invites were sent.`),
      );
    }
    expect(await inviteOf('x@example.net')).toBeUndefined();
  });

  test('POST /invites with a malformed address invites nobody and lists each refused address', async () => {
    expect(await invite('new@example.net,nonsense,member@example.com')).toMatchObject(
      refusal("Some emails did not validate, so we didn't send any invitations.", {
        code: 'INVITATION_FAILED',
        errors: [
          ['nonsense', 'Invalid address.'],
          ['member@example.com', 'Already has an account.'],
        ],
        sent_invitations: false,
      }),
    );
    const disguised = ['ⓝew@example.net', 'ne\u200bw@example.net'];
    expect(await invite(disguised.join(','))).toMatchObject(
      refusal("Some emails did not validate, so we didn't send any invitations.", {
        errors: disguised.map((email) => [email, 'Has characters that are invisible or look like others.']),
        sent_invitations: false,
      }),
    );
    expect(await invite('MEMBER@example.com')).toMatchObject(
      refusal("We weren't able to invite anyone.", {
        errors: [['MEMBER@example.com', 'Already has an account.']],
        sent_invitations: false,
      }),
    );
    expect(await inviteOf('new@example.net')).toBeUndefined();
    const partly = await invite('new@example.net,member@example.com');
    const msg =
      "Some of those addresses are already using Zulip, so we didn't send them an invitation. We did send invitations to everyone else!";
    expect(partly).toMatchObject(
      refusal(msg, {
        code: 'INVITATION_FAILED',
        errors: [['member@example.com', 'Already has an account.']],
        sent_invitations: true,
      }),
    );
    expect(await inviteOf('new@example.net')).toBeDefined();
  });
});

describe('Single invitations', () => {
  test('Administrators list all invitations, with author, address, role and end; members only their own', async () => {
    await invite('listed@example.net', { invite_as: '3' });
    expect(await inviteOf('listed@example.net')).toEqual({
      id: expect.any(Number),
      email: 'listed@example.net',
      ref: 'member@example.com',
      invited: expect.any(Number),
      invited_as: 3,
      invited_by_user_id: all.people.member.id,
      expiry_date: expect.any(Number),
      is_multiuse: false,
    });
    await invite('not-theirs@example.net', {}, 'owner');
    const own = (await all.people.member.get('/invites')).body.invites as Record<string, unknown>[];
    expect(new Set(own.map(({ ref }) => ref))).toEqual(new Set(['member@example.com']));
    expect(await all.people.guest.get('/invites')).toMatchObject(refusal('Not allowed for guest users'));
  });

  test('Resending an invitation mails the same link and restarts its lifetime', async () => {
    await invite('again@example.net');
    const first = tokenIn(await all.mailTo('again@example.net'), 'join');
    const { id } = await inviteOf('again@example.net');
    const { mysql } = all.node.kernel;
    const nearlyOver = {
      invited_at: mysql.raw('NOW(3) - INTERVAL 10 DAY + INTERVAL 1 MINUTE'),
      expires_at: mysql.raw('NOW(3) + INTERVAL 1 MINUTE'),
    };
    await all.node.kernel.mysql('chat_invitations').where({ id }).update(nearlyOver);
    const { status, body } = await all.people.owner.post(`/invites/${id}/resend`);
    expect(status).toBe(200);
    expect(Math.abs(body.timestamp - Date.now() / 1000)).toBeLessThan(60);
    expect(tokenIn(await all.mailTo('again@example.net', 2), 'join')).toBe(first);
    const { expires_at: until } = await all.node.kernel.mysql('chat_invitations').where({ id }).first('expires_at');
    expect((until as Date).getTime()).toBeGreaterThan(Date.now() + 9 * 86_400_000);
    expect(await all.people.other.post(`/invites/${id}/resend`)).toMatchObject(refusal('No such invitation'));
    expect(await all.people.owner.post('/invites/987654/resend')).toMatchObject(refusal('No such invitation'));
  });

  test('Administrators and its author can revoke an invitation, and only once', async () => {
    await invite('gone@example.net');
    const { id } = await inviteOf('gone@example.net');
    expect(await all.people.other.del(`/invites/${id}`)).toMatchObject(refusal('No such invitation'));
    expect(await all.people.owner.del(`/invites/multiuse/${id}`)).toMatchObject(refusal('No such invitation'));
    const published = await publishedBy(all.node.kernel, () => all.people.owner.del(`/invites/${id}`));
    const { owner, member } = all.people;
    expect(published).toEqual([{ to: [owner.id, member.id], event: { type: 'invites_changed' } }]);
    expect(await inviteOf('gone@example.net')).toBeUndefined();
    expect(await all.people.owner.del(`/invites/${id}`)).toMatchObject(refusal('No such invitation'));
  });
});

describe('Reusable links', () => {
  test('An administrator creates a reusable link, sees it in the list and revokes it', async () => {
    const { body } = await all.people.owner.post('/invites/multiuse', { invite_as: '1', stream_ids: `[${general}]` });
    expect(body.invite_link).toMatch(new RegExp(`^${PUBLIC_URL}/join/[\\w-]{43}$`));
    const found = (await listed()).find((each) => each['link_url'] === body.invite_link)!;
    expect(found).toEqual({
      id: expect.any(Number),
      ref: 'owner@example.com',
      invited: expect.any(Number),
      invited_as: 1,
      invited_by_user_id: all.people.owner.id,
      expiry_date: expect.any(Number),
      uses: 0,
      max_uses: null,
      link_url: body.invite_link,
      is_multiuse: true,
    });
    expect(await all.people.owner.del(`/invites/${String(found['id'])}`)).toMatchObject(refusal('No such invitation'));
    expect((await all.people.owner.del(`/invites/multiuse/${String(found['id'])}`)).status).toBe(200);
    expect((await listed()).find((each) => each['id'] === found['id'])).toBeUndefined();
  });

  test('A reusable link has the end and the number of uses that its author chose', async () => {
    const bounds = { invite_expires_in_minutes: '90', max_uses: '3', invite_as: '600' };
    const { body } = await all.people.member.post('/invites/multiuse', bounds);
    const found = (await listed()).find((each) => each['link_url'] === body.invite_link)!;
    expect(found).toMatchObject({ max_uses: 3, uses: 0, invited_as: 3, ref: 'member@example.com' });
    expect(Number(found['expiry_date']) - Number(found['invited'])).toBe(90 * 60);
    const endless = await all.people.member.post('/invites/multiuse', { invite_expires_in_minutes: 'null' });
    const other = (await listed()).find((each) => each['link_url'] === endless.body.invite_link)!;
    expect(other).toMatchObject({ expiry_date: null, max_uses: null });
    for (const wrong of [
      { invite_expires_in_minutes: '0' },
      { invite_expires_in_minutes: '99999999' },
      { max_uses: '0' },
    ])
      expect(await all.people.member.post('/invites/multiuse', wrong)).toMatchObject({ status: 400 });
  });

  test('A reusable link is refused where only administrators invite, for unknown streams, and beyond fifty', async () => {
    const { owner, member, other } = all.people;
    await owner.patch('/realm', { invite_by_admins_only: 'true' });
    expect(await member.post('/invites/multiuse')).toMatchObject(refusal('Must be an organization administrator'));
    await owner.patch('/realm', { invite_by_admins_only: 'false' });
    for (let made = 0; made < 50; made += 1) expect((await other.post('/invites/multiuse')).status).toBe(200);
    expect(await other.post('/invites/multiuse')).toMatchObject(
      refusal('You have 50 invitation links already. Revoke one first.'),
    );
    expect(await all.people.owner.post('/invites/multiuse', { stream_ids: '[987654]' })).toMatchObject(
      refusal('Invalid stream id 987654. No invites were sent.'),
    );
  });
});

test('An organisation that reaches its daily limit of mailed invitations is refused more', async () => {
  const many = Array.from({ length: 41 }, (_, index) => `many${index}@example.net`).join();
  const msg = 'This organization may send 40 invitations in 24 hours, and would exceed that. No invitations were sent.';
  expect(await invite(many)).toMatchObject(
    refusal(msg, { code: 'INVITATION_FAILED', errors: [], sent_invitations: false }),
  );
  expect(await inviteOf('many0@example.net')).toBeUndefined();
  // The rest of the limit is enough for one of these, but not for all.
  const { mysql } = all.node.kernel;
  const [{ sent }] = (await mysql('chat_mails').where({ kind: 'invitation' }).count({ sent: '*' })) as [
    { sent: number },
  ];
  const batch = (name: string) =>
    invite(Array.from({ length: 40 - Number(sent) - 3 }, (_, index) => `${name}${index}@example.net`).join());
  const answers = await Promise.all(['one', 'two', 'three'].map(batch));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400]);
});

test('Neither the stored invitation nor its stored mail contains the token of the link', async () => {
  await invite('stored@example.net');
  const token = tokenIn(await all.mailTo('stored@example.net'), 'join');
  for (const table of ['chat_invitations', 'chat_mails', 'kernel_outbox']) {
    expect(JSON.stringify(await all.node.kernel.mysql(table).select())).not.toContain(token);
  }
});
