// `@**topic**` mentions who takes part in the topic.
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { userOf, type TestUser } from '../../../support/chat/chat';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let other: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member, other] = [await userOf(node, 'owner'), await userOf(node, 'member'), await userOf(node, 'other')];
});
afterAll(() => cluster.close());

async function say(by: TestUser, content: string, topic = 'tea'): Promise<number> {
  const { body } = await by.post('/messages', { type: 'stream', to: 'general', topic, content });
  expect(body).toMatchObject({ result: 'success' });
  return body.id as number;
}
const flagsOf = async (by: TestUser, id: number): Promise<string[]> =>
  (await by.get(`/messages`, { anchor: id, num_before: 0, num_after: 0 })).body.messages[0].flags;
const isMentioned = async (by: TestUser, id: number) => (await flagsOf(by, id)).includes('wildcard_mentioned');
const mentionsOf = async (by: TestUser): Promise<number[]> =>
  (await by.post('/register', { fetch_event_types: ['message', 'update_message_flags'] })).body.unread_msgs.mentions;

test('Who has written or reacted there is mentioned: in the event, in what is read, and among the unread', async () => {
  await say(member, 'I was here');
  const [mine, others] = [await member.listen(['message']), await owner.listen(['message'])];
  const id = await say(other, '@**topic** look');
  expect(await mine()).toMatchObject([{ flags: ['wildcard_mentioned'] }]);
  expect(await others()).toMatchObject([{ flags: [] }]);
  expect([await isMentioned(member, id), await isMentioned(owner, id)]).toEqual([true, false]);
  expect(await mentionsOf(member)).toContain(id);
  expect(await mentionsOf(owner)).not.toContain(id);
  await owner.post(`/messages/${id}/reactions`, { emoji_name: 'thumbs_up' });
  expect(await isMentioned(owner, await say(other, '@**topic** again'))).toBe(true);
});

test('Such messages are found by is:mentioned', async () => {
  const id = await say(other, '@**topic** find me');
  const asked = { anchor: 'newest', num_before: 10, num_after: 0, narrow: [{ operator: 'is', operand: 'mentioned' }] };
  const found = async (by: TestUser) =>
    (await by.get('/messages', asked)).body.messages.map((each: { id: number }) => each.id);
  expect(await found(member)).toContain(id);
  const stranger = await userOf(node, 'guest');
  expect(await found(stranger)).not.toContain(id);
});

test('Silent ones, and those in quotes and private conversations, mention nobody', async () => {
  for (const content of ['@_**topic** hm', '> @**topic** hm'])
    expect(await isMentioned(member, await say(other, content))).toBe(false);
  const form = { type: 'private', to: [member.id], content: '@**topic** hm' };
  const { body } = await other.post('/messages', form);
  expect(await isMentioned(member, body.id)).toBe(false);
});

test('An edit adds and removes the mention, in the topic where the message is then', async () => {
  const id = await say(other, 'look');
  const heard = await member.listen(['update_message']);
  await other.patch(`/messages/${id}`, { content: '@**topic** look' });
  expect(await isMentioned(member, id)).toBe(true);
  await other.patch(`/messages/${id}`, { content: 'do not look' });
  expect(await isMentioned(member, id)).toBe(false);
  expect((await heard()).map(({ flags }) => flags)).toEqual([['wildcard_mentioned'], []]);
  await other.patch(`/messages/${id}`, { content: '@**topic** nobody here', topic: 'empty' });
  expect(await isMentioned(member, id)).toBe(false);
});

test('Marking it as unread tells that it mentions', async () => {
  const id = await say(other, '@**topic** read me');
  await member.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' });
  const heard = await member.listen(undefined, { client_capabilities: { user_settings_object: true } });
  await member.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' });
  expect(await heard()).toMatchObject([{ op: 'remove', message_details: { [id]: { mentioned: true } } }]);
});
