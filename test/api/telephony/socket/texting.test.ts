import {
  KEY_ONE as ONE,
  KEY_TWO as TWO,
  messagesReceived,
  messageDelivery,
} from '../../../support/telephony/companies';
import { closeSockets, enter, receivedBy, type TestSocket } from '../../../support/http/sockets';
import { openTexting, type Texting } from '../../../support/telephony/texting';
import { until } from '../../../support/until';

let texting: Texting;
beforeAll(async () => void (texting = await openTexting({ SOCKET_AUTH_LIMIT: 'off' })));
afterEach(closeSockets);
afterAll(() => texting.close());

const id = expect.stringMatching(/^[0-9a-f]{24}$/);

/** Two sockets of the company, one of them the actor's own, and one of another company. */
async function listen() {
  const { url } = texting.node;
  const [owner, member, stranger] = await Promise.all([
    enter(url, { token: ONE }),
    enter(url, { token: ONE, user_email: 'member@example.com' }),
    enter(url, { token: TWO }),
  ]);
  // The presence of the others is an event too; after this one, all earlier events have arrived.
  const { kernel } = texting.node;
  await Promise.all([
    messageDelivery(kernel, texting.ids.one, 'over'),
    messageDelivery(kernel, texting.ids.two, 'over'),
  ]);
  for (const socket of [owner, member, stranger]) {
    await until(() => messagesReceived(socket).includes('over'));
    socket.heard.splice(0);
  }
  return { owner, member, stranger };
}

const namesReceived = (socket: TestSocket) => receivedBy(socket).map(({ name }) => name);

test('Every event of a conversation is published to everyone in the company, and to nobody else', async () => {
  const { owner, member, stranger } = await listen();
  const { people } = texting;
  const number = texting.someone();

  const conversation = await texting.begin(number);
  const [chat] = await member.next('texting.chat.new');
  expect(chat).toMatchObject({ id: conversation, company_id: texting.ids.one, conversation_type: 'direct' });

  const sent = await texting.send(conversation, 'hello', { stamp_id: 'stamp-1' });
  const [own] = await owner.next('texting.message.new');
  expect(own).toMatchObject({ id: sent.body.id, conversation_id: conversation, text: 'hello', stamp_id: 'stamp-1' });
  expect(own.direction).toBe('outbound');

  await texting.receive({ from: number, text: 'hi there' });
  const [received] = await owner.next('texting.message.new', 2);
  expect(received).toMatchObject({ conversation_id: conversation, text: 'hi there', direction: 'inbound' });

  const reading = { conversation_id: conversation, messagesIds: [received.id], timezone: 'Europe/Paris' };
  expect(await member.ask('texting.message.markAsRead', reading)).toMatchObject(reading);
  // The reader gets it too, and both get exactly this.
  for (const socket of [owner, member]) expect(await socket.next('texting.message.markAsRead')).toEqual([reading]);

  await people.owner('DELETE', `/texting/conversations/${conversation}/messages/${received.id}`);
  const gone = { id: received.id, conversation_id: conversation };
  expect(await member.next('texting.message.delete')).toEqual([gone]);
  await people.owner('DELETE', `/texting/conversations/${conversation}`);
  expect(await member.next('texting.chat.delete')).toEqual([{ id: conversation }]);

  await owner.next('texting.chat.delete');
  const names = ['chat.new', 'message.new', 'message.new', 'message.markAsRead', 'message.delete', 'chat.delete'];
  for (const socket of [owner, member]) expect(namesReceived(socket)).toEqual(names.map((name) => `texting.${name}`));
  expect(stranger.heard).toEqual([]);
});

describe('texting.message.markAsRead from a client', () => {
  async function received(subscriber: TestSocket) {
    await texting.receive({});
    const [event] = await subscriber.next('texting.message.new');
    return event as { id: string; conversation_id: string };
  }

  test('A read mark without a timezone gets the timezone of the user', async () => {
    const { people } = texting;
    await people.member('PATCH', `/company/contacts/${people.ids.member}`, { timezone: 'America/Denver' });
    const { member } = await listen();
    const { id: message, conversation_id } = await received(member);
    member.emit('texting.message.markAsRead', { conversation_id, messagesIds: [message] });
    const [event] = await member.next('texting.message.markAsRead');
    expect(event).toEqual({ conversation_id, messagesIds: [message], timezone: 'America/Denver' });
  });

  test('A message that is marked as read on a socket is read for that user only', async () => {
    const { member } = await listen();
    const { id: message, conversation_id } = await received(member);
    await member.ask('texting.message.markAsRead', { conversation_id, messagesIds: [message] });
    const unread = async (person: Texting['people']['owner']) =>
      (await person('GET', `/texting/conversations/${conversation_id}`)).body.unread_msg_count as number;
    expect([await unread(texting.people.member), await unread(texting.people.owner)]).toEqual([0, 1]);
  });

  test.each([
    ['nothing', undefined, 400],
    ['text', 'x', 400],
    ['no messages', { conversation_id: 'x' }, 400],
    ['an empty list of messages', { conversation_id: 'x', messagesIds: [] }, 400],
    ['messages that are no list', { conversation_id: 'x', messagesIds: 'y' }, 400],
    ['a conversation that does not exist', { conversation_id: 'x', messagesIds: ['y'] }, 404],
  ])('Marking as read with %s is refused with a problem, and the socket stays open', async (_, payload, status) => {
    const { owner } = await listen();
    const answer = await owner.ask('texting.message.markAsRead', payload);
    expect(answer).toEqual({
      error: { detail: expect.any(String), status, title: expect.any(String), type: 'about:blank' },
    });
    expect(owner.ended).toBe(false);
  });

  test('Marking as read with wrong values is refused in plain words', async () => {
    const { owner } = await listen();
    const ask = async (payload: object) =>
      ((await owner.ask('texting.message.markAsRead', payload)) as { error: { detail: string } }).error.detail;
    expect(await ask({})).toBe('conversation_id: is required; messagesIds: is required');
    expect(await ask({ conversation_id: 7, messagesIds: [] })).toBe(
      'conversation_id: must be text; messagesIds: must not be empty',
    );
  });

  test("Marking another company's messages as read gets 404, and no event is published", async () => {
    const { owner, stranger } = await listen();
    const { id: message, conversation_id } = await received(owner);
    const reading = { conversation_id, messagesIds: [message] };
    expect(await stranger.ask('texting.message.markAsRead', reading)).toMatchObject({ error: { status: 404 } });
    await owner.ask('texting.message.markAsRead', reading);
    await until(() => owner.named('texting.message.markAsRead').length === 1);
    expect(stranger.heard).toEqual([]);
  });
});

describe('user_status_updated', () => {
  test('The event user_status_updated reaches everyone in the company, with exactly the fields of the specification', async () => {
    const { owner, member, stranger } = await listen();
    const { people } = texting;
    const { status } = await people.member('PATCH', '/status/v2/current-user', { main_status: { status: 'lunch' } });
    expect(status).toBe(200);
    for (const socket of [owner, member]) {
      expect(await socket.next('user_status_updated')).toEqual([
        {
          id,
          company_id: texting.ids.one,
          user_id: people.ids.member,
          user_email: 'member@example.com',
          status: { status: 'lunch', action_type: 'manual' },
          created_at: expect.stringMatching(/Z$/),
          updated_at: expect.stringMatching(/Z$/),
          deleted_at: null,
        },
      ]);
    }
    expect(stranger.heard).toEqual([]);
  });
});
