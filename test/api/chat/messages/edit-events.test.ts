import { openEditing, type Editing } from './edit-support';

let chat: Editing;
beforeAll(async () => {
  chat = await openEditing();
});
afterAll(() => chat.cluster.close());

const everyKey = {
  id: expect.any(Number),
  type: 'update_message',
  edit_timestamp: expect.any(Number),
  rendering_only: false,
};
const place = async (who: 'member' | 'other' | 'guest') => ({
  recipient_id: await chat.streamId('test'),
  user_id: chat.ids[who],
});

describe('The update_message event', () => {
  test('An update_message event for changed content has exactly the specified keys', async () => {
    const id = await chat.send('member', 'before @**Gus Guest**');
    const { rendered } = await chat.rowOf(id);
    const event = await chat.eventOf('other', 'update_message', () =>
      chat.edit('member', id, { content: 'after @**Ola Other**' }, chat.two),
    );
    expect(event).toEqual({
      ...everyKey,
      user_id: chat.ids.member,
      sender: 'member@example.com',
      message_id: id,
      message_ids: [id],
      stream_name: 'test',
      orig_content: 'before @**Gus Guest**',
      orig_rendered_content: rendered,
      prev_rendered_content_version: 1,
      content: 'after @**Ola Other**',
      rendered_content: (await chat.rowOf(id))['rendered'],
      is_me_message: false,
      prior_mention_user_ids: [chat.ids.guest],
      mention_user_ids: [chat.ids.other],
      push_notify_user_ids: [],
      stream_push_user_ids: [],
      stream_email_user_ids: [],
      wildcard_mention_user_ids: [],
      presence_idle_user_ids: [],
      flags: ['mentioned'],
    });
    expect(await chat.mysql('chat_flags').where({ message_id: id })).toEqual([
      { user_id: chat.ids.other, flag: 3, message_id: id },
    ]);
  });

  test('An update_message event for a changed topic has exactly the specified keys', async () => {
    const id = await chat.send('member', 'moving');
    const event = await chat.eventOf('guest', 'update_message', () =>
      chat.edit('owner', id, { topic: 'see https://a.example.com' }),
    );
    expect(event).toEqual({
      ...everyKey,
      user_id: chat.ids.owner,
      sender: 'owner@example.com',
      message_id: id,
      message_ids: [id],
      stream_name: 'test',
      stream_id: await chat.streamId('test'),
      propagate_mode: 'change_one',
      orig_subject: 'first',
      subject: 'see https://a.example.com',
      subject_links: ['https://a.example.com'],
      topic_links: [{ text: 'https://a.example.com', url: 'https://a.example.com' }],
      flags: [],
    });
  });

  test('An update_message event for a private message names no stream and reaches its participants only', async () => {
    const outsider = await chat.register('guest', ['update_message']);
    const id = await chat.send('member', 'psst', { type: 'private', to: 'other@example.com' });
    const event = await chat.eventOf('other', 'update_message', () => chat.edit('member', id, { content: 'psst!' }));
    expect(event).toMatchObject({ message_id: id, content: 'psst!', flags: [] });
    expect(event).not.toHaveProperty('stream_name');
    const board = await chat.send('owner', 'board', { to: 'leadership' });
    await chat.edit('owner', board, { content: 'board!' });
    const open = await chat.send('member', 'open');
    await chat.edit('member', open, { content: 'open!' });
    expect(await chat.poll('guest', outsider)).toMatchObject([{ message_id: open }]);
  });

  test('An update_message event carries the flags of each recipient', async () => {
    const id = await chat.send('member', 'flags', { client: 'website' });
    await chat.mysql('chat_flags').insert({ user_id: chat.ids.other, flag: 1, message_id: id });
    await chat.mysql('chat_read_exceptions').insert({ ...(await place('guest')), message_id: id, is_read: true });
    const names = ['owner', 'member', 'other', 'guest'] as const;
    const queues = await Promise.all(names.map((name) => chat.register(name, ['update_message'])));
    await chat.edit('member', id, { content: '@**all** flags' });
    const flags = [];
    for (const [index, name] of names.entries()) flags.push((await chat.poll(name, queues[index]!))[0]!['flags']);
    expect(flags).toEqual([
      ['wildcard_mentioned'],
      ['read', 'wildcard_mentioned'],
      ['starred', 'wildcard_mentioned'],
      ['read', 'wildcard_mentioned'],
    ]);
  });

  test('An edit reaches former subscribers, and later ones as read where history is public', async () => {
    const id = await chat.send('member', 'early');
    const [late, left] = [await place('other'), await place('guest')];
    await chat
      .mysql('chat_subscriptions')
      .where(late)
      .update({ from_id: id + 1 });
    await chat.mysql('chat_subscriptions').where(left).update({ is_active: false, read_id: id });
    await chat.mysql('chat_receptions').insert({ ...left, from_id: 1, to_id: id });
    const event = await chat.eventOf('other', 'update_message', () => chat.edit('member', id, { content: 'early!' }));
    expect(event).toMatchObject({ message_id: id, flags: ['read'] });
    expect(
      await chat.eventOf('guest', 'update_message', () => chat.edit('member', id, { content: 'early!!' })),
    ).toMatchObject({ message_id: id, flags: ['read'] });
    await chat.mysql('chat_streams').where({ name: 'test' }).update({ is_private: true, is_history_public: false });
    const queue = await chat.register('other', ['update_message']);
    await chat.edit('member', id, { content: 'no longer yours' });
    const mine = await chat.send('member', 'for you');
    await chat.edit('member', mine, { content: 'for you!' });
    expect(await chat.poll('other', queue)).toMatchObject([{ message_id: mine, flags: [] }]);
    await chat.mysql('chat_streams').where({ name: 'test' }).update({ is_private: false, is_history_public: true });
    await chat.mysql('chat_subscriptions').where(late).update({ from_id: 1 });
    await chat.mysql('chat_receptions').where(left).delete();
    await chat.mysql('chat_subscriptions').where(left).update({ is_active: true, read_id: 0 });
  });

  test('GET /messages returns an edited message with its edit history and reactions', async () => {
    const id = await chat.send('member', 'one');
    await chat.edit('member', id, { content: 'two' });
    await chat.call('other', `messages/${id}/reactions`, { form: { emoji_name: 'smile' } });
    const query = { anchor: String(id), num_before: '0', num_after: '0' };
    const { messages } = (await chat.call('other', 'messages', { query })).body;
    expect(messages).toMatchObject([
      {
        id,
        content: '<p>two</p>',
        last_edit_timestamp: expect.any(Number),
        edit_history: [{ user_id: chat.ids.member, prev_content: 'one' }],
        reactions: [{ emoji_name: 'smile', user: { id: chat.ids.other } }],
      },
    ]);
  });
});

describe('Order of events in a queue', () => {
  test('A queue delivers every message before its edits, reactions and deletion, from two nodes', async () => {
    const types = ['message', 'update_message', 'reaction', 'delete_message'];
    const queue = await chat.register('other', types, chat.two);
    const rounds = Array.from({ length: 15 }, async (_, index) => {
      const [here, there] = index % 2 ? [chat.one, chat.two] : [chat.two, chat.one];
      const id = await chat.send('member', `m${index}`, {}, here);
      const react = chat.call('guest', `messages/${id}/reactions`, { form: { emoji_name: 'smile' } }, here);
      await Promise.all([chat.edit('member', id, { content: `e${index}` }, there), react]);
      await chat.call('owner', `messages/${id}`, { method: 'DELETE' }, here);
      return id;
    });
    const ids = await Promise.all(rounds);
    const events: Record<string, unknown>[] = [];
    while (events.length < 60) {
      events.push(...(await chat.poll('other', queue, (events.at(-1)?.['id'] as number | undefined) ?? -1, chat.one)));
    }
    const numbers = events.map((event) => event['id'] as number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    for (const id of ids) {
      const own = events
        .filter((event) => (event['message_id'] ?? (event['message'] as { id?: number } | undefined)?.id) === id)
        .map((event) => event['type']);
      expect(own).toHaveLength(4);
      expect([own[0], own[3]]).toEqual(['message', 'delete_message']);
    }
  });
});
