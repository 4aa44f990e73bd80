import { byMessages } from '../../../../src/chat/store/messages/reactions';
import { until } from '../../../support/until';
import { openEditing, refusal, type Editing, type Fields, type Name } from './edit-support';

let chat: Editing;
let party: string;
beforeAll(async () => {
  chat = await openEditing();
  const emoji = { realm_id: 1, name: 'party', active_name: 'party', author_id: chat.ids.owner, extension: 'png' };
  const [id] = await chat.mysql('chat_realm_emoji').insert({ ...emoji, bytes: Buffer.from('x') });
  party = String(id);
});
afterAll(() => chat.cluster.close());

const add = (who: Name, id: number, form: Fields) => chat.call(who, `messages/${id}/reactions`, { form });
const remove = (who: Name, id: number, form: Fields) =>
  chat.call(who, `messages/${id}/reactions`, { method: 'DELETE', form });
const of = async (id: number) => (await byMessages(chat.mysql, 1 as never, [id])).get(id) ?? [];
const SMILE = { emoji_name: 'smile', emoji_code: '263a', reaction_type: 'unicode_emoji' };

describe('POST /messages/{id}/reactions', () => {
  test('A reaction is added by emoji name alone, or with its code and type', async () => {
    const id = await chat.send('member', 'nice');
    expect(await add('other', id, { emoji_name: 'smile' })).toMatchObject({
      status: 200,
      body: { result: 'success', msg: '' },
    });
    await add('guest', id, SMILE);
    await add('other', id, { emoji_name: 'party' });
    await add('other', id, { emoji_name: 'zulip' });
    const user = { id: chat.ids.other, email: 'other@example.com', full_name: 'Ola Other' };
    expect(await of(id)).toEqual([
      { ...SMILE, user },
      { ...SMILE, user: { id: chat.ids.guest, email: 'guest@example.com', full_name: 'Gus Guest' } },
      { emoji_name: 'party', emoji_code: party, reaction_type: 'realm_emoji', user },
      { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji', user },
    ]);
  });

  test('A reaction with an unknown or mismatched emoji, or one that exists, is refused', async () => {
    const id = await chat.send('member', 'so so');
    const say = async (form: Fields, msg: string) =>
      expect(await add('other', id, form)).toMatchObject(refusal(msg, 'BAD_REQUEST'));
    await say({ emoji_name: 'nosuch' }, "Emoji 'nosuch' does not exist");
    await say({ ...SMILE, emoji_code: 'zzz' }, 'Invalid emoji code.');
    await say({ ...SMILE, emoji_name: 'heart' }, 'Invalid emoji name.');
    await say({ ...SMILE, reaction_type: 'sticker' }, 'Invalid emoji type.');
    await say({ ...SMILE, reaction_type: 'realm_emoji' }, 'Invalid custom emoji.');
    await say({ emoji_name: 'x', emoji_code: party, reaction_type: 'realm_emoji' }, 'Invalid custom emoji name.');
    await say({ emoji_name: 'x', emoji_code: 'x', reaction_type: 'zulip_extra_emoji' }, 'Invalid emoji code.');
    await add('other', id, SMILE);
    await say(SMILE, 'Reaction already exists.');
    await say({ emoji_name: 'smile' }, 'Reaction already exists.');
    expect((await add('other', id, {})).body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING' });
    expect(await of(id)).toHaveLength(1);
  });

  test.each([
    ['working_on_it', '1f6e0'],
    ['tools', '1f6e0'],
    ['x', '274e'],
    ['train', '1f682'],
  ])('The emoji name %s is accepted with its code %s and with no other code', async (name, code) => {
    const id = await chat.send('member', 'paired');
    const pair = { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' };
    expect(await add('other', id, { ...pair, emoji_code: '1f604' })).toMatchObject(
      refusal('Invalid emoji name.', 'BAD_REQUEST'),
    );
    expect((await add('other', id, pair)).status).toBe(200);
  });

  test('Reacting to a message that the user cannot see is refused', async () => {
    const secret = await chat.send('member', 'psst', { type: 'private', to: 'other@example.com' });
    for (const id of [secret, 999_999]) {
      expect(await add('guest', id, SMILE)).toMatchObject(refusal('Invalid message(s)', 'BAD_REQUEST'));
    }
  });

  test('Joining a reaction keeps its emoji name, even if the emoji was deactivated', async () => {
    const id = await chat.send('member', 'old times');
    await add('other', id, { emoji_name: 'party' });
    expect((await chat.call('owner', 'realm/emoji/party', { method: 'DELETE' })).status).toBe(200);
    const joined = { emoji_name: 'anything', emoji_code: party, reaction_type: 'realm_emoji' };
    // Another node learns of it a moment later.
    const refused = await until(
      async () => add('guest', await chat.send('member', 'new times'), { ...joined, emoji_name: 'party' }),
      ({ status }) => status !== 200,
    );
    expect(refused).toMatchObject(refusal('This custom emoji has been deactivated.', 'BAD_REQUEST'));
    expect((await add('guest', id, joined)).status).toBe(200);
    expect((await of(id)).map(({ emoji_name: name }) => name)).toEqual(['party', 'party']);
  });
});

describe('DELETE /messages/{id}/reactions', () => {
  test('Users remove their own reaction by emoji name or by code', async () => {
    const id = await chat.send('member', 'hm');
    await add('other', id, SMILE);
    await add('guest', id, SMILE);
    expect((await remove('other', id, { emoji_name: 'smile' })).status).toBe(200);
    expect((await of(id)).map(({ user }) => user.id)).toEqual([chat.ids.guest]);
    expect((await remove('guest', id, { emoji_code: '263a' })).status).toBe(200);
    expect(await of(id)).toEqual([]);
    const gone = refusal("Reaction doesn't exist.", 'BAD_REQUEST');
    expect(await remove('guest', id, SMILE)).toMatchObject(gone);
    expect(await remove('guest', id, {})).toMatchObject(
      refusal('At least one of the following arguments must be present: emoji_name, emoji_code', 'BAD_REQUEST'),
    );
  });

  test('Concurrent identical reactions on two nodes leave one reaction', async () => {
    const id = await chat.send('member', 'crowd');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        chat.call('other', `messages/${id}/reactions`, { form: SMILE }, index % 2 ? chat.one : chat.two),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await of(id)).toHaveLength(1);
  });
});

describe('The reaction event', () => {
  test('Adding and removing a reaction is published to all recipients of the message', async () => {
    const id = await chat.send('member', 'told');
    const queue = await chat.register('guest', ['reaction'], chat.two);
    await add('other', id, { emoji_name: 'smile' });
    await remove('other', id, { emoji_name: 'smile' });
    const user = { user_id: chat.ids.other, email: 'other@example.com', full_name: 'Ola Other' };
    const first = await chat.poll('guest', queue, -1, chat.two);
    const events =
      first.length > 1 ? first : [...first, ...(await chat.poll('guest', queue, first[0]!['id'] as number))];
    expect(events).toEqual([
      { id: expect.any(Number), type: 'reaction', op: 'add', message_id: id, ...SMILE, user },
      { id: expect.any(Number), type: 'reaction', op: 'remove', message_id: id, ...SMILE, user },
    ]);
  });

  test('Reaction events reach nobody outside the conversation', async () => {
    const outsider = await chat.register('guest', ['reaction']);
    const secret = await chat.send('member', 'psst', { type: 'private', to: 'other@example.com' });
    await add('other', secret, SMILE);
    const open = await chat.send('member', 'open');
    await add('other', open, SMILE);
    expect(await chat.poll('guest', outsider)).toMatchObject([{ message_id: open }]);
  });
});
