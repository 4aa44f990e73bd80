import { openMailedCluster, PASSWORD, PUBLIC_URL, tokenIn, type MailedCluster } from '../../../support/chat/mailed';
import { callerOf, refusal, type Caller } from '../../../support/chat/people';
import { basicHeader } from '../../../support/http/client';
import { startWorkers } from '../../../support/kernel/workers';
import { until } from '../../../support/until';

let all: MailedCluster;

beforeAll(async () => {
  all = await openMailedCluster();
  await startWorkers(all.cluster, 'chat-welcomes');
});
afterAll(() => all.close());

async function join(email: string, token: string): Promise<Caller> {
  const form = { token, full_name: 'Nora New', password: PASSWORD };
  const { body } = await all.node.call('/api/v1/join', { form });
  return callerOf(all.node, email, basicHeader(email, body.api_key));
}

async function newcomer(email: string): Promise<Caller> {
  const { body } = await all.people.owner.get('/get_stream_id', { stream: 'general' });
  await all.people.owner.post('/invites', { invitee_emails: email, stream_ids: `[${body.stream_id}]` });
  return join(email, tokenIn(await all.mailTo(email), 'join'));
}

const send = async (content: string): Promise<number> =>
  (await all.people.member.post('/messages', { type: 'stream', to: 'general', topic: 'past', content })).body.id;

const newest = async (caller: Caller, narrow = '[]') => {
  const query = { narrow, anchor: '10000000000000000', num_before: '100', num_after: '0', apply_markdown: 'false' };
  return (await caller.get('/messages', query)).body.messages as { id: number; content: string; flags: string[] }[];
};

test('A newcomer receives the last week of the streams that they join, the last twenty messages unread', async () => {
  const { mysql } = all.node.kernel;
  await mysql('chat_messages').update({ sent_at: mysql.raw('UNIX_TIMESTAMP(NOW() - INTERVAL 8 DAY)') });
  const ids: number[] = [];
  for (let count = 1; count <= 25; count += 1) ids.push(await send(`before ${count}`));
  const nora = await newcomer('history@example.net');
  const all_ = (await newest(nora)).filter(({ content }) => content.startsWith('before'));
  expect(all_.map(({ id }) => id)).toEqual(ids);
  const unread = all_.filter(({ flags }) => !flags.includes('read')).map(({ id }) => id);
  expect(unread).toEqual(ids.slice(5));
  const { body } = await nora.post('/register', { fetch_event_types: '["message", "update_message_flags"]' });
  expect(body.unread_msgs.count).toBe(20);
  // What is older than a week is history, but not received.
  expect((await newest(nora)).every(({ id }) => id >= ids[0]!)).toBe(true);
});

test("A newcomer is welcomed once by the notification bot, in the organisation's own words", async () => {
  const welcomed = async (caller: Caller) => {
    const narrow = '[["is","private"]]';
    return until(
      () => newest(caller, narrow),
      ({ length }) => length > 0,
    );
  };
  const [ours] = await welcomed(await newcomer('welcome@example.net'));
  expect(ours!.content).toMatch(/^Welcome to /);
  const words = 'Hello, and *mind the gap*.';
  await all.people.owner.patch('/realm', { welcome_message_custom_text: words });
  const messages = await welcomed(await newcomer('own-words@example.net'));
  expect(messages.map(({ content }) => content)).toEqual([words]);
  expect(await all.people.owner.patch('/realm', { welcome_message_custom_text: 'x'.repeat(8001) })).toMatchObject(
    refusal('welcome_message_custom_text is too long (limit: 8000 characters)'),
  );
});

test('A reusable link makes as many accounts as it may, and its list counts them', async () => {
  const { body } = await all.people.member.post('/invites/multiuse', { max_uses: '1' });
  const [, token] = new RegExp(`${PUBLIC_URL}/join/([\\w-]+)`).exec(body.invite_link)!;
  const ask = (email: string) => all.node.call('/api/v1/join/request', { form: { token: token!, email } });
  for (const email of ['first@example.net', 'second@example.net']) expect((await ask(email)).status).toBe(200);
  const [first, second] = [
    tokenIn(await all.mailTo('first@example.net'), 'join'),
    tokenIn(await all.mailTo('second@example.net'), 'join'),
  ];
  await join('first@example.net', first);
  const form = { token: second, full_name: 'Too Late', password: PASSWORD };
  expect(await all.node.call('/api/v1/join', { form })).toMatchObject({ status: 400, body: { code: 'INVALID_LINK' } });
  expect(await ask('third@example.net')).toMatchObject({ status: 400, body: { code: 'INVALID_LINK' } });
  const { invites } = (await all.people.member.get('/invites')).body as { invites: Record<string, unknown>[] };
  expect(invites.find((each) => each['link_url'] === body.invite_link)).toMatchObject({ uses: 1, max_uses: 1 });
});

test('A link that is revoked or over still makes no more accounts than it may', async () => {
  const { mysql } = all.node.kernel;
  for (const [name, end] of [
    ['revoked', (id: number) => all.people.member.del(`/invites/multiuse/${id}`)],
    ['late', (id: number) => mysql('chat_invitations').where({ id }).update({ expires_at: '2020-01-01' })],
  ] as const) {
    const { body } = await all.people.member.post('/invites/multiuse', { max_uses: '1' });
    const [, token] = new RegExp(`${PUBLIC_URL}/join/([\\w-]+)`).exec(body.invite_link)!;
    const emails = [1, 2].map((number) => `${name}-${number}@example.net`);
    for (const email of emails) await all.node.call('/api/v1/join/request', { form: { token: token!, email } });
    const tokens = [tokenIn(await all.mailTo(emails[0]!), 'join'), tokenIn(await all.mailTo(emails[1]!), 'join')];
    const { id } = await mysql('chat_invitations').whereNull('email').orderBy('id', 'desc').first('id');
    await end(id);
    // Each mail that is sent clears what is over.
    const general = (await all.people.owner.get('/get_stream_id', { stream: 'general' })).body.stream_id;
    const invitation = { invitee_emails: `clears-${name}@example.net`, stream_ids: `[${general}]` };
    expect((await all.people.owner.post('/invites', invitation)).status).toBe(200);
    await all.mailTo(invitation.invitee_emails);
    const { invites } = (await all.people.member.get('/invites')).body as { invites: { link_url?: string }[] };
    expect(invites.map((each) => each.link_url)).not.toContain(body.invite_link);
    await join(emails[0]!, tokens[0]!);
    const form = { token: tokens[1]!, full_name: 'Too Late', password: PASSWORD };
    expect(await all.node.call('/api/v1/join', { form })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_LINK' },
    });
  }
});
