import { openEditing, refusal, type Editing, type Fields, type Name } from './edit-support';

let chat: Editing;
beforeAll(async () => {
  chat = await openEditing();
});
afterAll(() => chat.cluster.close());
afterEach(() => chat.set({}));

const edit = (who: Name, id: number, form: Fields) => chat.edit(who, id, form);
const age = (id: number, seconds: number) => chat.mysql('chat_messages').where({ id }).decrement('sent_at', seconds);
const NOT_ALLOWED = refusal("You don't have permission to edit this message", 'BAD_REQUEST');
const TOO_LATE = refusal('The time limit for editing this message has passed', 'BAD_REQUEST');

describe('GET /messages/{id}', () => {
  test('GET /messages/{id} returns the raw content to users who may see the message', async () => {
    const id = await chat.send('member', '**raw**');
    expect(await chat.call('other', `messages/${id}`)).toMatchObject({
      status: 200,
      body: { result: 'success', msg: '', raw_content: '**raw**' },
    });
    const secret = await chat.send('member', 'psst', { type: 'private', to: 'other@example.com' });
    expect(await chat.call('owner', `messages/${secret}`)).toMatchObject(refusal('Invalid message(s)', 'BAD_REQUEST'));
    expect(await chat.call('owner', 'messages/999999')).toMatchObject(refusal('Invalid message(s)', 'BAD_REQUEST'));
  });
});

describe('PATCH /messages/{id}', () => {
  test('An edit changes the content, renders it again and stores the previous version', async () => {
    const id = await chat.send('member', 'first words');
    // Some clients repeat the id in the body.
    expect(await edit('member', id, { content: '**new** words  \n', message_id: '1' })).toMatchObject({
      status: 200,
      body: { result: 'success', msg: '' },
    });
    const row = await chat.rowOf(id);
    expect(row).toMatchObject({ content: '**new** words', rendered: '<p><strong>new</strong> words</p>' });
    expect(row['edited_at']).toEqual(expect.any(Number));
    await edit('member', id, { content: '/me sees https://example.com', subject: 'second' });
    const after = await chat.rowOf(id);
    expect(after).toMatchObject({ topic: 'second', traits: 1 | 8 });
    expect(JSON.parse(after['edits'] as string)).toEqual([
      {
        user_id: chat.ids.member,
        timestamp: expect.any(Number),
        prev_content: '**new** words',
        prev_rendered_content: '<p><strong>new</strong> words</p>',
        prev_subject: 'first',
        prev_topic: 'first',
        topic: 'second',
      },
      {
        user_id: chat.ids.member,
        timestamp: expect.any(Number),
        prev_content: 'first words',
        prev_rendered_content: '<p>first words</p>',
      },
    ]);
  });

  test('An edit to empty content stores (deleted)', async () => {
    const id = await chat.send('member', 'gone soon');
    expect((await edit('member', id, { content: '' })).status).toBe(200);
    expect(await chat.rowOf(id)).toMatchObject({ content: '(deleted)', rendered: '<p>(deleted)</p>' });
  });

  test('An edit without a difference stores nothing and publishes no event', async () => {
    const id = await chat.send('member', 'same');
    expect((await edit('member', id, { content: 'same', topic: 'first' })).status).toBe(200);
    expect(await chat.rowOf(id)).toMatchObject({ edited_at: null, edits: null });
    const event = await chat.eventOf('other', 'update_message', async () => {
      await edit('member', id, { content: 'same' });
      await edit('member', id, { content: 'other' });
    });
    expect(event).toMatchObject({ content: 'other' });
  });

  test('An edit without a change, or with content or a topic that could not be sent, is refused', async () => {
    const id = await chat.send('member', 'limits');
    expect(await edit('member', id, {})).toMatchObject(refusal('Nothing to change'));
    expect((await edit('member', id, {})).body).not.toHaveProperty('code');
    expect(await edit('member', id, { topic: '  ' })).toMatchObject(refusal("Topic can't be empty", 'BAD_REQUEST'));
    expect(await edit('member', id, { topic: 'x'.repeat(61) })).toMatchObject(
      refusal('Topic is too long (limit: 60 characters)', 'BAD_REQUEST'),
    );
    expect(await edit('member', id, { content: 'ü'.repeat(5001) })).toMatchObject(
      refusal('Message is too long (limit: 10000 bytes)', 'BAD_REQUEST'),
    );
    expect(await edit('member', id, { topic: 'a', subject: 'b' })).toMatchObject(
      refusal("Can't decide between 'topic' and 'subject' arguments", 'REQUEST_CONFUSING_VAR'),
    );
    expect(await edit('member', id, { topic: 'a', propagate_mode: 'change_none' })).toMatchObject(
      refusal("Bad value for 'propagate_mode': change_none", 'REQUEST_VARIABLE_INVALID'),
    );
    expect(await chat.rowOf(id)).toMatchObject({ content: 'limits', edits: null });
  });

  test('An edit gives a private message no topic', async () => {
    const id = await chat.send('member', 'psst', { type: 'private', to: 'other@example.com' });
    expect(await edit('member', id, { topic: 'what' })).toMatchObject(refusal('Nothing to change'));
    expect((await edit('member', id, { topic: 'what', content: 'psst!' })).status).toBe(200);
    expect(await chat.rowOf(id)).toMatchObject({ topic: '', content: 'psst!' });
    expect(await edit('guest', id, { content: 'x' })).toMatchObject(refusal('Invalid message(s)', 'BAD_REQUEST'));
  });

  test("Only the author edits a message's content, until twenty seconds after the limit", async () => {
    const id = await chat.send('member', 'mine');
    for (const who of ['owner', 'other'] as const)
      expect(await edit(who, id, { content: 'x' })).toMatchObject(NOT_ALLOWED);
    await age(id, 615);
    expect((await edit('member', id, { content: 'in the grace' })).status).toBe(200);
    await age(id, 10);
    expect(await edit('member', id, { content: 'late' })).toMatchObject(TOO_LATE);
    expect((await edit('member', id, { topic: 'never too late for its author' })).status).toBe(200);
    await chat.set({ message_content_edit_limit_seconds: 0 });
    expect((await edit('member', id, { content: 'no limit' })).status).toBe(200);
  });

  test("Members edit the topic of others' messages for a day, and administrators at any time", async () => {
    const id = await chat.send('member', 'anyone');
    expect((await edit('other', id, { topic: 'second' })).status).toBe(200);
    await age(id, 86_430);
    expect(await edit('other', id, { topic: 'third' })).toMatchObject(TOO_LATE);
    expect((await edit('owner', id, { topic: 'fourth' })).status).toBe(200);
    await chat.set({ allow_community_topic_editing: false });
    const next = await chat.send('member', 'no longer');
    expect(await edit('other', next, { topic: 'x' })).toMatchObject(NOT_ALLOWED);
    expect((await edit('owner', next, { topic: '(no topic)' })).status).toBe(200);
    expect((await edit('other', next, { topic: 'a better one' })).status).toBe(200);
  });

  test('An organisation can turn off message editing', async () => {
    const id = await chat.send('member', 'final');
    await chat.set({ allow_message_editing: false });
    const answer = await edit('member', id, { content: 'x' });
    expect(answer).toMatchObject(refusal('Your organization has turned off message editing'));
    expect(answer.body).not.toHaveProperty('code');
  });

  test('An edit that would make the stored history too large is refused', async () => {
    const id = await chat.send('member', 'again and again');
    const edits = JSON.stringify([{ user_id: chat.ids.member, timestamp: 1, prev_content: 'x'.repeat(999_950) }]);
    await chat.mysql('chat_messages').where({ id }).update({ edits });
    expect((await edit('member', id, { content: 'once more' })).body.msg).toContain('edited too often');
  });
});
