import { openEditing, type Editing, type Name } from './edit-support';

let chat: Editing;
beforeAll(async () => {
  chat = await openEditing();
});
afterAll(() => chat.cluster.close());

const topicsOf = async (ids: readonly number[]) =>
  (await chat.mysql('chat_messages').whereIn('id', ids).orderBy('id').pluck('topic')) as string[];
const sendAll = async (topics: readonly string[]) => {
  const ids: number[] = [];
  for (const topic of topics) ids.push(await chat.send('member', `about ${topic}`, { topic }));
  return ids;
};
/** Which of these are read, according to the history. */
async function readAmong(who: Name, ids: readonly number[]): Promise<boolean[]> {
  const query = { anchor: String(ids[0]), num_before: '0', num_after: '500' };
  const { messages } = (await chat.call(who, 'messages', { query })).body as {
    messages: { id: number; flags: string[] }[];
  };
  return ids.map((id) => messages.find((message) => message.id === id)!.flags.includes('read'));
}
const markTopic = async (who: Name, topic: string) =>
  chat.call(who, 'mark_topic_as_read', {
    form: { stream_id: String(await chat.streamId('test')), topic_name: topic },
  });
const unmark = (who: Name, id: number) =>
  chat.call(who, 'messages/flags', { form: { messages: `[${id}]`, op: 'remove', flag: 'read' } });

describe('propagate_mode', () => {
  test('The mode change_one moves one message, and change_later moves the later ones as well', async () => {
    const ids = await sendAll(['a', 'a', 'b', 'a', 'a']);
    await chat.edit('member', ids[1]!, { topic: 'one' });
    expect(await topicsOf(ids)).toEqual(['a', 'one', 'b', 'a', 'a']);
    const event = await chat.eventOf('other', 'update_message', () =>
      chat.edit('member', ids[3]!, { topic: 'later', propagate_mode: 'change_later' }),
    );
    expect(await topicsOf(ids)).toEqual(['a', 'one', 'b', 'later', 'later']);
    expect(event).toMatchObject({ message_id: ids[3], message_ids: [ids[3], ids[4]], propagate_mode: 'change_later' });
  });

  test('The mode change_all moves the past week of exactly this topic in this stream', async () => {
    const ids = await sendAll(['c', 'c', 'C', 'c', 'd']);
    const [elsewhere] = [await chat.send('member', 'x', { to: 'general', topic: 'c' })];
    await chat
      .mysql('chat_messages')
      .where({ id: ids[0] })
      .decrement('sent_at', 8 * 86_400);
    const event = await chat.eventOf('other', 'update_message', () =>
      chat.edit('other', ids[3]!, { topic: 'all', propagate_mode: 'change_all' }),
    );
    expect(await topicsOf(ids)).toEqual(['c', 'all', 'C', 'all', 'd']);
    expect(await topicsOf([elsewhere!])).toEqual(['c']);
    expect(event['message_ids']).toEqual([ids[3], ids[1]]);
    // Only the edited message keeps its edit history.
    expect((await chat.rowOf(ids[1]!))['edits']).toBeNull();
    expect((await chat.rowOf(ids[3]!))['edits']).not.toBeNull();
  });

  test('A topic of more than a thousand messages moves in one edit', async () => {
    const first = await chat.send('member', 'first of many', { topic: 'many' });
    const row = await chat.rowOf(first);
    const { record_number: head } = (await chat.mysql('kernel_counters').where({ tenant: 'chat:1' }).first()) ?? {};
    expect(head).toBe(first);
    const rows = Array.from({ length: 1500 }, (_, index) => ({ ...row, id: first + 1 + index }));
    await chat.mysql.batchInsert('chat_messages', rows, 500);
    await chat.mysql('kernel_counters').where({ tenant: 'chat:1' }).increment('record_number', 1500);
    await chat.edit('member', first, { topic: 'moved', propagate_mode: 'change_all' });
    expect(await chat.mysql('chat_messages').where({ topic: 'moved' }).count({ n: '*' })).toEqual([{ n: 1501 }]);
  });

  test('An edit can change only the case of a topic', async () => {
    const ids = await sendAll(['shout', 'shout']);
    await chat.edit('member', ids[0]!, { topic: 'SHOUT', propagate_mode: 'change_all' });
    expect(await topicsOf(ids)).toEqual(['SHOUT', 'SHOUT']);
  });
});

describe('Subscribers who came between moved messages', () => {
  test("A late subscriber's event about a move names only the messages that they received", async () => {
    const ids = await sendAll(['between', 'between', 'between']);
    const streamId = await chat.streamId('test');
    const late = { recipient_id: streamId, user_id: chat.ids.guest };
    await chat.mysql('chat_subscriptions').where(late).update({ from_id: ids[1] });
    await chat.mysql('chat_streams').where({ id: streamId }).update({ is_private: true, is_history_public: false });
    const event = await chat.eventOf('guest', 'update_message', () =>
      chat.edit('member', ids[0]!, { topic: 'settled', content: 'secret', propagate_mode: 'change_all' }),
    );
    expect(event).toEqual({
      id: expect.any(Number),
      type: 'update_message',
      user_id: chat.ids.member,
      sender: 'member@example.com',
      edit_timestamp: expect.any(Number),
      message_id: ids[1],
      message_ids: [ids[1], ids[2]],
      stream_name: 'test',
      stream_id: streamId,
      propagate_mode: 'change_all',
      orig_subject: 'between',
      subject: 'settled',
      subject_links: [],
      topic_links: [],
      rendering_only: false,
      flags: [],
    });
    await chat.mysql('chat_streams').where({ id: streamId }).update({ is_private: false, is_history_public: true });
    await chat.mysql('chat_subscriptions').where(late).update({ from_id: 1 });
  });
});

describe('Concurrent moves', () => {
  test('Concurrent moves into one new topic from two nodes leave read and unread as they were', async () => {
    const ids = await sendAll(['p', 'q', 'r', 'p', 'q', 'r']);
    await markTopic('other', 'q');
    const before = await readAmong('other', ids);
    expect(before).toEqual([false, true, false, false, true, false]);
    await Promise.all(
      [0, 1, 2].map((index) =>
        chat.edit(
          'member',
          ids[index]!,
          { topic: 'melting pot', propagate_mode: 'change_all' },
          index % 2 ? chat.one : chat.two,
        ),
      ),
    );
    expect(new Set(await topicsOf(ids))).toEqual(new Set(['melting pot']));
    expect(await readAmong('other', ids)).toEqual(before);
  });

  test('Concurrent edits of one message are all kept in its history', async () => {
    const id = await chat.send('member', 'start');
    const edit = (index: number) => chat.edit('member', id, { content: `v${index}` }, index % 2 ? chat.one : chat.two);
    await Promise.all(Array.from({ length: 8 }, (_, index) => edit(index)));
    const { message_history: snapshots } = (await chat.call('other', `messages/${id}/history`)).body as {
      message_history: { content: string; prev_content?: string }[];
    };
    expect(snapshots).toHaveLength(9);
    for (const [index, { prev_content: was }] of snapshots.entries()) expect(was).toBe(snapshots[index - 1]?.content);
  });
});

describe('Read state of moved messages', () => {
  test('Messages that move to another topic stay read or unread as they were', async () => {
    const ids = await sendAll(['read', 'read', 'unread', 'unread']);
    await markTopic('other', 'read');
    await unmark('other', ids[1]!);
    const before = await readAmong('other', ids);
    expect(before).toEqual([true, false, false, false]);
    await chat.edit('member', ids[0]!, { topic: 'unread', propagate_mode: 'change_all' });
    expect(await topicsOf(ids)).toEqual(['unread', 'unread', 'unread', 'unread']);
    expect(await readAmong('other', ids)).toEqual(before);
    expect(await readAmong('guest', ids)).toEqual([false, false, false, false]);
  });

  test('An unread message that moves into a read topic stays unread', async () => {
    const [stray, ...others] = await sendAll(['stray', 'known', 'known']);
    await markTopic('guest', 'known');
    await chat.edit('member', stray!, { topic: 'known' });
    expect(await readAmong('guest', [stray!, ...others])).toEqual([false, true, true]);
    await markTopic('guest', 'known');
    expect(await readAmong('guest', [stray!, ...others])).toEqual([true, true, true]);
  });

  test("Renaming a topic keeps everyone's read position without an exception row for each message", async () => {
    const ids = await sendAll(['plain', 'aside', 'plain', 'plain']);
    await markTopic('other', 'plain');
    await markTopic('guest', 'aside');
    const last = await chat.send('member', 'new', { topic: 'plain' });
    const all = [...ids, last];
    const [before, exceptions] = [await readAmong('other', all), await chat.mysql('chat_read_exceptions')];
    expect(before).toEqual([true, false, true, true, false]);
    await chat.edit('member', ids[2]!, { topic: 'fancy', propagate_mode: 'change_all' });
    expect(await readAmong('other', all)).toEqual(before);
    expect(await readAmong('guest', all)).toEqual([false, true, false, false, false]);
    expect(await chat.mysql('chat_read_exceptions')).toEqual(exceptions);
    // Into a topic that was read once and is now empty.
    await chat.edit('member', ids[1]!, { topic: 'gone', propagate_mode: 'change_all' });
    await chat.edit('member', ids[2]!, { topic: 'aside', propagate_mode: 'change_all' });
    expect(await readAmong('other', all)).toEqual(before);
    expect(await readAmong('guest', all)).toEqual([false, true, false, false, false]);
  });

  test('Moving a topic away and back keeps what each user has read', async () => {
    const ids = await sendAll(['here', 'here', 'there', 'here']);
    await markTopic('owner', 'here');
    const last = await chat.send('member', 'new', { topic: 'here' });
    const before = await readAmong('owner', [...ids, last]);
    await chat.edit('member', ids[0]!, { topic: 'there', propagate_mode: 'change_all' });
    expect(await readAmong('owner', [...ids, last])).toEqual(before);
    await chat.edit('member', ids[0]!, { topic: 'here', propagate_mode: 'change_all' });
    expect(await readAmong('owner', [...ids, last])).toEqual(before);
  });
});
