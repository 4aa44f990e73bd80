import { moveRealm } from '../../../../src/chat/commands/organisation/realms';
import { getRealm } from '../../../../src/chat/queries/organisation/find-realm';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { chatOf } from '../../../support/kernel/parts';

let cluster: Cluster;
let one: TestNode;
let two: TestNode;
const people: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', HEARTBEAT_MIN_MS: '60000', HEARTBEAT_MAX_MS: '60000' });
  await cluster.seed();
  one = await cluster.node();
  two = await cluster.node();
  // One test creates a second organisation.
  await moveRealm(chatOf(one.kernel), (await getRealm(chatOf(one.kernel))).id, {
    subdomain: 'here',
    hosts: ['127.0.0.1'],
  });
  for (const name of ['owner', 'member', 'other', 'guest']) people[name] = await one.basic(`${name}@example.com`);
});
afterAll(() => cluster.close());

type Fields = Record<string, string>;
const send = async (who: string, content: string, more: Fields = {}, at = one): Promise<number> => {
  const form = { type: 'stream', to: 'test', topic: 'deleting', content, ...more };
  return (await at.call('/api/v1/messages', { form, headers: people[who]! })).body.id;
};
const remove = (who: string, id: number | string, at = one) =>
  at.call(`/api/v1/messages/${id}`, { method: 'DELETE', headers: people[who]! });
const rows = async (table: string, id: number) =>
  (await one.kernel.mysql(table).where({ message_id: id })) as unknown[];
const set = async (settings: object) => {
  await one.kernel.mysql('chat_realms').update({ settings: JSON.stringify(settings) });
};
const register = async (who: string, event_types = '["delete_message"]'): Promise<string> =>
  (await one.call('/api/v1/register', { form: { event_types }, headers: people[who]! })).body.queue_id;
const eventsOf = async (who: string, queue_id: string, at = one) =>
  (await at.call('/api/v1/events', { query: { queue_id, last_event_id: '-1' }, headers: people[who]! })).body
    .events as Record<string, unknown>[];
const error = (msg: string) => ({ status: 400, body: { result: 'error', msg, code: 'BAD_REQUEST' } });

describe('DELETE /messages/{id}', () => {
  test('Deleting a message as an administrator removes it with its flags and reactions', async () => {
    const id = await send('member', 'oops');
    const { user_id: userId } = (await one.call('/api/v1/users/me', { headers: people['other']! })).body;
    await one.kernel.mysql('chat_flags').insert({ user_id: userId, flag: 1, message_id: id });
    const exception = { user_id: userId, message_id: id, recipient_id: 1, is_read: true };
    await one.kernel.mysql('chat_read_exceptions').insert(exception);
    const reaction = {
      realm_id: 1,
      message_id: id,
      user_id: userId,
      type: 'unicode_emoji',
      code: '263a',
      name: 'smile',
    };
    await one.kernel.mysql('chat_reactions').insert(reaction);
    expect(await remove('owner', id)).toMatchObject({ status: 200, body: { result: 'success', msg: '' } });
    expect(await one.kernel.mysql('chat_messages').where({ id })).toEqual([]);
    for (const table of ['chat_flags', 'chat_read_exceptions', 'chat_reactions']) {
      expect(await rows(table, id)).toEqual([]);
    }
    expect(await send('member', 'next')).toBe(id + 1);
  });

  test('Deleting a message changes nothing in another organisation that uses the same message ids', async () => {
    const { mysql } = one.kernel;
    const id = await send('member', 'here');
    const elsewhere = { subdomain: 'elsewhere', name: 'Elsewhere', description: '', settings: '{}' };
    const [realm] = await mysql('chat_realms').insert({ ...elsewhere, created_at: new Date() });
    const other = (await mysql('chat_users').where({ email: 'other@example.com' }).first()) as object;
    // The database makes this one itself.
    const { mails_streams: _, ...known } = other as { mails_streams: unknown };
    const [user] = await mysql('chat_users').insert({ ...known, id: 4000, realm_id: realm, key_hash: '0'.repeat(64) });
    const message = (await mysql('chat_messages').where({ id }).first()) as object;
    await mysql('chat_messages').insert({ ...message, realm_id: realm });
    await mysql('chat_flags').insert({ user_id: user, flag: 1, message_id: id });
    await mysql('chat_read_exceptions').insert({ user_id: user, message_id: id, recipient_id: 1, is_read: true });
    const reaction = { message_id: id, user_id: user, type: 'unicode_emoji', code: '263a', name: 'smile' };
    await mysql('chat_reactions').insert({ ...reaction, realm_id: realm });
    expect((await remove('owner', id)).status).toBe(200);
    expect(await mysql('chat_messages').where({ id })).toMatchObject([{ realm_id: realm }]);
    for (const table of ['chat_flags', 'chat_read_exceptions', 'chat_reactions']) {
      expect(await rows(table, id)).toHaveLength(1);
    }
  });

  test('Deleting an unknown message and deleting a hidden one give the same error', async () => {
    const secret = await send('member', 'psst', { type: 'private', to: 'other@example.com' });
    const board = await send('owner', 'board', { to: 'leadership' });
    for (const [who, id] of [
      ['owner', 999_999],
      ['owner', secret],
      ['member', board],
      ['guest', secret],
    ] as const) {
      expect(await remove(who, id)).toMatchObject(error('Invalid message(s)'));
    }
    expect((await remove('owner', 'x1')).body).toMatchObject({ code: 'REQUEST_VARIABLE_INVALID' });
    const gone = await send('member', 'gone');
    await remove('owner', gone);
    expect(await remove('owner', gone)).toMatchObject(error('Invalid message(s)'));
  });

  test('Members delete their own recent messages only where the organisation allows it', async () => {
    const id = await send('member', 'mine');
    expect(await remove('member', id)).toMatchObject(error("You don't have permission to delete this message"));
    await set({ allow_message_deleting: true });
    expect(await remove('other', id)).toMatchObject(error("You don't have permission to delete this message"));
    await one.kernel.mysql('chat_messages').where({ id }).decrement('sent_at', 601);
    expect(await remove('member', id)).toMatchObject(error('The time limit for deleting this message has passed'));
    await set({ allow_message_deleting: true, message_content_delete_limit_seconds: 0 });
    expect((await remove('member', id)).status).toBe(200);
    await set({ allow_message_deleting: true });
    expect((await remove('member', await send('member', 'new'))).status).toBe(200);
    await set({});
  });
});

describe('max_message_id in the profile', () => {
  test("The max_message_id in a profile is the user's newest message that is not deleted", async () => {
    const last = async (who: string) =>
      (await one.call('/api/v1/users/me', { headers: people[who]! })).body.max_message_id as number;
    expect(await last('guest')).toBe(-1);
    const [first, second] = [await send('guest', 'one'), await send('guest', 'two')];
    await send('member', 'not by the guest');
    expect(await last('guest')).toBe(second);
    await remove('owner', second);
    expect(await last('guest')).toBe(first);
  });
});

describe('The delete_message event', () => {
  test('A delete_message event describes the deleted message to everyone who received it', async () => {
    const id = await send('member', 'told');
    const queue = await register('guest');
    await remove('owner', id, two);
    const { user_id: userId } = (await one.call('/api/v1/users/me', { headers: people['member']! })).body;
    expect(await eventsOf('guest', queue)).toEqual([
      {
        id: expect.any(Number),
        type: 'delete_message',
        message_id: id,
        sender: 'member@example.com',
        sender_id: userId,
        message_type: 'stream',
        stream_id: expect.any(Number),
        topic: 'deleting',
      },
    ]);
  });

  test('A delete_message event of a private message names no stream and reaches no outsider', async () => {
    const outsider = await register('guest');
    const queue = await register('owner');
    const id = await send('member', 'between us', { type: 'private', to: 'owner@example.com' });
    await remove('owner', id);
    const board = await send('owner', 'board', { to: 'leadership' });
    await remove('owner', board);
    const last = await send('member', 'for all');
    await remove('owner', last);
    const [first] = await eventsOf('owner', queue);
    expect(first).toMatchObject({ message_id: id, message_type: 'private', recipient_id: expect.any(Number) });
    expect(first).not.toHaveProperty('stream_id');
    expect(await eventsOf('guest', outsider)).toMatchObject([{ message_id: last }]);
  });

  test('A delete_message event reaches former subscribers who received it, and no later subscribers', async () => {
    const id = await send('member', 'before');
    const { mysql } = one.kernel;
    const stream = (await mysql('chat_streams').where({ name: 'test' }).first('id')) as { id: number };
    const at = async (who: string) => ({
      recipient_id: stream.id,
      user_id: (await one.call('/api/v1/users/me', { headers: people[who]! })).body.user_id as number,
    });
    const [left, came] = [await at('guest'), await at('other')];
    const before = await mysql('chat_subscriptions').where(came).first('from_id');
    await mysql('chat_subscriptions').where(left).update({ is_active: false });
    await mysql('chat_receptions').insert({ ...left, from_id: 1, to_id: id });
    await mysql('chat_subscriptions')
      .where(came)
      .update({ from_id: id + 1 });
    const [leftQueue, cameQueue] = [await register('guest'), await register('other')];
    await remove('owner', id);
    await mysql('chat_subscriptions').where(came).update(before);
    await mysql('chat_receptions').where(left).delete();
    await mysql('chat_subscriptions').where(left).update({ is_active: true });
    const last = await send('member', 'after');
    await remove('owner', last);
    expect((await eventsOf('guest', leftQueue))[0]).toMatchObject({ message_id: id });
    expect(await eventsOf('other', cameQueue)).toMatchObject([{ message_id: last }]);
  });
});
