import { openEditing, refusal, type Editing, type Fields, type Name } from './edit-support';

let chat: Editing;
beforeAll(async () => {
  chat = await openEditing();
});
afterAll(() => chat.cluster.close());

const POLL = '/poll Lunch?\n- soup\n- salad';
const WIDGET = { widget_type: 'poll', extra_data: { question: 'Lunch?', options: ['soup', 'salad'] } };
const VOTE = '{"type":"vote","key":"canned,0","vote":1}';

const add = (who: Name, id: number, form: Fields = {}, at = chat.one) =>
  chat.call(who, 'submessage', { form: { message_id: String(id), msg_type: 'widget', content: VOTE, ...form } }, at);

interface Part {
  readonly id: number;
  readonly message_id: number;
  readonly sender_id: number;
  readonly msg_type: string;
  readonly content: string;
}

async function partsOf(who: Name, id: number): Promise<Part[]> {
  const query = { anchor: String(id), num_before: '0', num_after: '0' };
  const { body } = await chat.call(who, 'messages', { query });
  return (body.messages as { submessages: Part[] }[])[0]!.submessages;
}

describe('Messages that begin with /poll', () => {
  test('A message that begins with /poll is a widget in its event and in history, on every node', async () => {
    const queue = await chat.register('guest', ['message'], chat.two);
    const id = await chat.send('member', POLL);
    const [event] = await chat.poll('guest', queue, -1, chat.two);
    const { message } = event as { message: { id: number; submessages: Part[]; content: string } };
    expect(message.id).toBe(id);
    expect(message.submessages).toEqual([
      {
        id: expect.any(Number),
        message_id: id,
        sender_id: chat.ids.member,
        msg_type: 'widget',
        content: expect.any(String),
      },
    ]);
    expect(JSON.parse(message.submessages[0]!.content)).toEqual(WIDGET);
    expect(message.content).toContain('/poll Lunch?');
    expect(await partsOf('guest', id)).toEqual(message.submessages);
  });

  test("A poll's question keeps quotes and accents for Markdown and HTML clients", async () => {
    const question = 'Was "heißt" <b>?';
    for (const markdown of ['true', 'false']) {
      const form = { event_types: '["message"]', apply_markdown: markdown };
      const { queue_id: queue } = (await chat.call('guest', 'register', { form })).body;
      await chat.send('member', `/poll ${question}`);
      const [event] = await chat.poll('guest', queue);
      const { submessages } = (event as { message: { submessages: Part[] } }).message;
      expect(JSON.parse(submessages[0]!.content).extra_data.question).toBe(question);
    }
  });

  test('A poll stays a poll when its message is edited', async () => {
    const id = await chat.send('member', POLL);
    expect((await chat.edit('member', id, { content: 'no poll' })).status).toBe(200);
    expect((await partsOf('other', id)).map(({ content }) => JSON.parse(content))).toEqual([WIDGET]);
  });

  test('Deleting a poll deletes its submessages', async () => {
    const id = await chat.send('member', POLL);
    await add('other', id);
    expect((await chat.call('owner', `messages/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect(await chat.mysql('chat_submessages').where({ message_id: id })).toEqual([]);
  });
});

describe('Messages sent with widget_content', () => {
  const choice = { short_name: 'A', long_name: 'Answer A', reply: 'a' };
  const form = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'Choose', choices: [choice] } };

  test('A message with widget_content is that widget, whatever its content says', async () => {
    const id = await chat.send('member', '/poll x', { widget_content: JSON.stringify(form) });
    expect((await partsOf('other', id)).map(({ content }) => JSON.parse(content))).toEqual([form]);
  });

  test('A message with an unknown widget is refused', async () => {
    const draft = { type: 'stream', to: 'test', topic: 'first', content: 'x', widget_content: '{}' };
    expect(await chat.call('member', 'messages', { form: draft })).toMatchObject(
      refusal('Widgets: widget_type is not in widget_content', 'BAD_REQUEST'),
    );
  });
});

describe('POST /submessage', () => {
  test('POST /submessage adds to a poll in order and is published to all recipients of the message', async () => {
    const id = await chat.send('member', POLL);
    const queue = await chat.register('guest', ['submessage'], chat.two);
    expect(await add('other', id)).toMatchObject({ status: 200, body: { result: 'success', msg: '' } });
    expect((await add('member', id, { content: '{"type":"question"}' }, chat.two)).status).toBe(200);
    const parts = await partsOf('guest', id);
    expect(parts.map(({ sender_id: sender, content }) => [sender, content])).toEqual([
      [chat.ids.member, JSON.stringify(WIDGET)],
      [chat.ids.other, VOTE],
      [chat.ids.member, '{"type":"question"}'],
    ]);
    const ids = parts.map((part) => part.id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    const first = await chat.poll('guest', queue, -1, chat.two);
    const events =
      first.length > 1 ? first : [...first, ...(await chat.poll('guest', queue, first[0]!['id'] as number, chat.two))];
    expect(events).toEqual(
      parts.slice(1).map(({ id: submessage_id, ...part }) => ({
        type: 'submessage',
        id: expect.any(Number),
        submessage_id,
        ...part,
      })),
    );
  });

  test('POST /submessage is refused for messages that the user cannot see', async () => {
    const secret = await chat.send('member', POLL, { type: 'private', to: 'other@example.com' });
    for (const id of [secret, 999_999]) {
      expect(await add('guest', id)).toMatchObject(refusal('Invalid message(s)', 'BAD_REQUEST'));
    }
    const outsider = await chat.register('guest', ['submessage']);
    expect((await add('other', secret)).status).toBe(200);
    const open = await chat.send('member', POLL);
    await add('other', open);
    expect(await chat.poll('guest', outsider)).toMatchObject([{ message_id: open }]);
  });

  test("POST /submessage makes a widget only of the user's own message", async () => {
    const id = await chat.send('member', 'plain words');
    expect(await add('other', id)).toMatchObject(
      refusal('You cannot attach a submessage to this message.', 'BAD_REQUEST'),
    );
    expect((await add('member', id)).status).toBe(200);
    expect((await add('other', id)).status).toBe(200);
  });

  test('POST /submessage with invalid JSON or too long values is refused', async () => {
    const id = await chat.send('member', POLL);
    expect(await add('other', id, { content: '{' })).toMatchObject(
      refusal('Invalid json for submessage', 'BAD_REQUEST'),
    );
    expect(await add('other', id, { content: JSON.stringify('x'.repeat(10_000)) })).toMatchObject(
      refusal('content is too long (limit: 10000 bytes)', 'BAD_REQUEST'),
    );
    expect((await add('other', id, { msg_type: 'x'.repeat(101) })).body).toMatchObject({
      msg: 'msg_type: is too long (limit: 100 characters)',
    });
  });

  test("POST /submessage is refused once a message's submessages reach their size limit", async () => {
    const id = await chat.send('member', POLL);
    await chat.mysql('chat_messages').where({ id }).update({ submessage_bytes: 999_900 });
    expect(await add('other', id)).toMatchObject(
      refusal('This message takes no more submessages (limit: 1000000 bytes)', 'BAD_REQUEST'),
    );
  });

  test('Concurrent votes on two nodes are each stored once, in the order of their events', async () => {
    const id = await chat.send('member', POLL);
    const queue = await chat.register('guest', ['submessage']);
    const votes = Array.from({ length: 12 }, (_, at) => `{"vote":${at}}`);
    const answers = await Promise.all(
      votes.map((content, at) => add('other', id, { content }, at % 2 ? chat.one : chat.two)),
    );
    expect(answers.map(({ status }) => status)).toEqual(votes.map(() => 200));
    const parts = (await partsOf('guest', id)).slice(1);
    expect(parts.map(({ content }) => content).sort()).toEqual([...votes].sort());
    const heard: unknown[] = [];
    let last = -1;
    while (heard.length < votes.length) {
      for (const event of await chat.poll('guest', queue, last)) {
        heard.push(event['submessage_id']);
        last = event['id'] as number;
      }
    }
    expect(heard).toEqual(parts.map((part) => part.id));
  });
});

test('Submessages of polls count towards the size limit of GET /messages', async () => {
  const ids: number[] = [];
  for (let at = 0; at < 12; at += 1) ids.push(await chat.send('member', POLL, { topic: 'large' }));
  const vote = JSON.stringify('v'.repeat(9000));
  for (const id of ids) for (let at = 0; at < 3; at += 1) await add('other', id, { content: vote });
  const node = await chat.cluster.node({ MESSAGES_LIMIT_BYTES: '100000' });
  const query = { anchor: String(ids[0]), num_before: '0', num_after: '11' };
  const { body, text } = await chat.call('other', 'messages', { query }, node);
  expect(Buffer.byteLength(text)).toBeLessThan(110_000);
  expect(body.found_newest).toBe(false);
  expect(body.messages[0].submessages).toHaveLength(4);
});
