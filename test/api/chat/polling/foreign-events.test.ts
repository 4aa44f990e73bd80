import type { Caller } from '../../../support/chat/people';
import { openOrganisations, type Organisations } from '../../../support/chat/organisations';

let all: Organisations;

beforeAll(async () => {
  all = await openOrganisations();
});
afterAll(() => all.cluster.close());

type Event = Record<string, unknown>;
const json = JSON.stringify;

/** Registers for all events that the user can receive. */
async function listen(by: Caller): Promise<() => Promise<Event[]>> {
  const { body } = await by.post('/register', { all_public_streams: 'true', include_subscribers: 'true' });
  return async () => {
    const query = { queue_id: body.queue_id, last_event_id: '-1', dont_block: 'true' };
    return (await by.get('/events', query)).body.events;
  };
}

/** Performs every kind of action that publishes events. */
async function live(owner: Caller, member: Caller): Promise<void> {
  const done = async (answer: Promise<{ body: Record<string, unknown>; text: string }>) => {
    const { body, text } = await answer;
    if (body['result'] !== 'success') throw new Error(text);
    return body;
  };
  await done(owner.post('/users/me/subscriptions', { subscriptions: '[{"name":"daily"}]', announce: 'true' }));
  await done(member.post('/users/me/subscriptions', { subscriptions: '[{"name":"daily"}]' }));
  const sent = await done(owner.post('/messages', { type: 'stream', to: 'daily', topic: 'a', content: '@**all** hi' }));
  const id = String(sent['id']);
  await done(owner.post('/messages', { type: 'private', to: json([member.email]), content: 'psst' }));
  await done(member.post(`/messages/${id}/reactions`, { emoji_name: 'smile' }));
  await done(owner.patch(`/messages/${id}`, { content: 'edited', topic: 'b' }));
  await done(member.post('/messages/flags', { messages: `[${id}]`, op: 'add', flag: 'starred' }));
  await done(member.post('/mark_all_as_read'));
  await done(member.post('/typing', { op: 'start', to: json([owner.email]) }));
  await done(member.post('/users/me/presence', { status: 'active' }));
  await done(member.post('/users/me/status', { status_text: 'busy', away: 'true' }));
  await done(
    owner.post('/users', { email: 'new@example.com', password: 'plain words of nobody', full_name: 'New Person' }),
  );
  const bot = await done(member.post('/bots', { full_name: 'Own Bot', short_name: 'own' }));
  await done(member.post(`/bots/${String(bot['user_id'])}/api_key/regenerate`));
  await done(owner.post('/user_groups/create', { name: 'us', description: '', members: json([owner.id]) }));
  await done(
    owner.post('/realm/filters', { pattern: 'x(?P<id>[0-9]+)', url_format_string: 'https://x.example/%(id)s' }),
  );
  await done(owner.post('/realm/profile_fields', { name: 'Phone', field_type: '1' }));
  await done(owner.patch('/realm', { description: '"changed"' }));
  const { stream_id: stream } = await done(owner.get('/get_stream_id', { stream: 'daily' }));
  await done(owner.patch(`/streams/${String(stream)}`, { description: '"Every day"' }));
  await done(owner.del(`/messages/${id}`));
  await done(owner.del(`/streams/${String(stream)}`));
}

test('No event reaches another organisation, not even by a name or an address that both have', async () => {
  const { acme, beta, node } = all;
  const ears = [await listen(beta.owner), await listen(beta.member)];
  const own = await listen(acme.member);
  const published = () =>
    node.kernel
      .mysql('kernel_outbox')
      .where({ tenant: `chat:${beta.id}` })
      .pluck('id');
  const before = (await published()) as unknown[];
  await live(acme.owner, acme.member);
  await node.kernel.outbox.settle();
  const kinds = new Set((await own()).map(({ type }) => type));
  for (const type of ['message', 'reaction', 'update_message', 'delete_message', 'typing', 'presence', 'realm_user']) {
    expect(kinds).toContain(type);
  }
  for (const hear of ears) expect(await hear()).toEqual([]);
  expect(await published()).toEqual(before);
});

test('Concurrent events of two organisations reach only the users of each', async () => {
  const { acme, beta, node } = all;
  const hear = await listen(beta.member);
  const send = (by: Caller, content: string) =>
    by.post('/messages', { type: 'stream', to: 'shared name', topic: 'a', content });
  for (const { owner } of [acme, beta]) {
    const form = {
      subscriptions: '[{"name":"shared name"}]',
      principals: '["owner@example.com","member@example.com"]',
    };
    await owner.post('/users/me/subscriptions', form);
  }
  await Promise.all([1, 2, 3].flatMap(() => [send(acme.owner, 'of acme'), send(beta.owner, 'of beta')]));
  await node.kernel.outbox.settle();
  const heard = (await hear()).filter(({ type }) => type === 'message').map(({ message }) => message as Event);
  expect(heard.filter(({ content }) => content === 'of beta')).toHaveLength(3);
  expect(heard.filter(({ content }) => content === 'of acme')).toEqual([]);
  expect(new Set(heard.map((message) => message['sender_realm_str']))).toEqual(new Set(['beta']));
  const presences = (await beta.owner.get('/realm/presence')).body.presences;
  expect(Object.keys(presences)).toEqual([]);
});
