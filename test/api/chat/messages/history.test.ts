import { openEditing, refusal, type Editing } from './edit-support';

let chat: Editing;
beforeAll(async () => {
  chat = await openEditing();
});
afterAll(() => chat.cluster.close());

const history = (id: number | string) => chat.call('other', `messages/${id}/history`);

describe('GET /messages/{id}/history', () => {
  test('The history of a message that was never edited is the message itself', async () => {
    const id = await chat.send('member', '**as sent**');
    expect(await history(id)).toMatchObject({ status: 200, body: { result: 'success', msg: '' } });
    const { sent_at: sentAt } = await chat.rowOf(id);
    expect((await history(id)).body.message_history).toEqual([
      {
        topic: 'first',
        content: '**as sent**',
        rendered_content: '<p><strong>as sent</strong></p>',
        timestamp: sentAt,
        user_id: chat.ids.member,
      },
    ]);
  });

  test('The history of a message id beyond any safe integer is refused as an invalid message', async () => {
    for (const id of ['9'.repeat(20), '9'.repeat(400), '9007199254740993']) {
      expect(await history(id)).toMatchObject(refusal('Invalid message(s)'));
      expect(await chat.call('other', `messages/${id}`)).toMatchObject(refusal('Invalid message(s)'));
    }
  });

  test('The edit history lists all versions from the first to the last', async () => {
    const id = await chat.send('member', 'one two');
    await chat.edit('member', id, { content: 'one three' });
    await chat.edit('owner', id, { topic: 'second' });
    await chat.edit('member', id, { content: 'four', topic: 'third' });
    const { message_history: snapshots } = (await history(id)).body;
    expect(snapshots).toEqual([
      {
        topic: 'first',
        content: 'one two',
        rendered_content: '<p>one two</p>',
        timestamp: expect.any(Number),
        user_id: chat.ids.member,
      },
      {
        topic: 'first',
        content: 'one three',
        rendered_content: '<p>one three</p>',
        timestamp: expect.any(Number),
        user_id: chat.ids.member,
        prev_content: 'one two',
        prev_rendered_content: '<p>one two</p>',
        content_html_diff: expect.any(String),
      },
      {
        topic: 'second',
        content: 'one three',
        rendered_content: '<p>one three</p>',
        timestamp: expect.any(Number),
        user_id: chat.ids.owner,
        prev_topic: 'first',
      },
      {
        topic: 'third',
        content: 'four',
        rendered_content: '<p>four</p>',
        timestamp: expect.any(Number),
        user_id: chat.ids.member,
        prev_topic: 'second',
        prev_content: 'one three',
        prev_rendered_content: '<p>one three</p>',
        content_html_diff: expect.any(String),
      },
    ]);
    expect(snapshots[1].content_html_diff).toBe(
      '<p>one <span class="highlight_text_deleted">two</span><span class="highlight_text_inserted">three</span></p>',
    );
  });

  test('The edit history is for users who may see the message, unless the organisation disables it', async () => {
    expect(await history(999_999)).toMatchObject(refusal('Invalid message(s)', 'BAD_REQUEST'));
    const secret = await chat.send('member', 'psst', { type: 'private', to: 'owner@example.com' });
    expect(await history(secret)).toMatchObject(refusal('Invalid message(s)', 'BAD_REQUEST'));
    await chat.set({ allow_edit_history: false });
    const answer = await history(await chat.send('member', 'hidden'));
    expect(answer).toMatchObject(refusal('Message edit history is disabled in this organization'));
    expect(answer.body).not.toHaveProperty('code');
  });
});
